//! A small generator of random numbers of our own: the same documents on every machine and in every version.

/// `SplitMix64`: well mixed from any seed, and six lines.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator that always gives the same numbers for the same seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A generator for a part of the work that has a name: what other parts draw does not change its numbers.
    pub fn of(seed: u64, name: &str) -> Self {
        // FNV-1a: the standard hasher may differ between versions.
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        Self(seed ^ hash)
    }

    /// Any number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below a bound; 0 where the bound is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.draw() % bound.max(1) as u64).unwrap_or_default()
    }

    /// A small number below a bound.
    pub fn small(&mut self, bound: i32) -> i32 {
        i32::try_from(self.below(usize::try_from(bound).unwrap_or_default())).unwrap_or_default()
    }

    /// True in so many of a hundred cases.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of several; None where there are none.
    pub fn pick<'p, T>(&mut self, several: &'p [T]) -> Option<&'p T> {
        several.get(self.below(several.len()))
    }
}
