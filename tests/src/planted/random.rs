//! Numbers that a seed decides: the same on every machine.

/// A stream of numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        // Neighbouring seeds would begin alike.
        let mut random = Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5851_F42D_4C95_7F2D);
        random.draw();
        random
    }

    /// The next number (`SplitMix64`).
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A stream of its own.
    pub fn fork(&mut self) -> Self {
        Self::new(self.draw())
    }

    /// A number below a limit; 0 where the limit is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.draw() % (limit.max(1) as u64)).unwrap_or_default()
    }

    /// A number from one to another, both included.
    pub fn between(&mut self, least: usize, most: usize) -> usize {
        least + self.below(most.saturating_sub(least) + 1)
    }

    /// Once in so many times.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// As often as not.
    pub fn coin(&mut self) -> bool {
        self.once_in(2)
    }

    /// One of some things; none of none.
    pub fn pick<'t, T>(&mut self, things: &'t [T]) -> Option<&'t T> {
        things.get(self.below(things.len()))
    }

    /// One of some texts, of which there is at least one.
    pub fn of(&mut self, texts: &[&'static str]) -> &'static str {
        self.pick(texts).copied().unwrap_or_default()
    }

    /// Some of the texts, at least one, in another order.
    pub fn some(&mut self, texts: &[&'static str]) -> Vec<&'static str> {
        let mut all = texts.to_vec();
        self.shuffle(&mut all);
        let count = self.between(1, all.len());
        all.truncate(count);
        all
    }

    /// Another order.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for place in (1..things.len()).rev() {
            things.swap(place, self.below(place + 1));
        }
    }
}
