//! Which function a module has under a name when it has run.

use super::Fault;
use super::scan::{Kind, Scanner, Token};
use agentry_text::quoted;
use std::collections::HashMap;
use std::ops::Range;

/// The name of the function.
pub(in super::super) const FUNCTION: &str = "run";

/// The name of its parameter.
pub(in super::super) const INPUT: &str = "input_data";

const HELP: &str =
    "write the code as `def run(input_data):`, at the left margin, and let it return the result";

/// How the function is defined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) enum Definition {
    /// A function that a call with one argument reaches.
    Function,
    /// The same, and its result is there only when it is awaited. Where it is defined.
    Awaited(Range<usize>),
    /// The name is given to something that is made elsewhere, or changed by a decorator. Where it is given.
    Unseen(Range<usize>),
}

/// What a name stands for: a function, or why it is not the one that is wanted, and where that shows.
type Bound<'s> = Result<Definition, (Flaw<'s>, Range<usize>)>;

/// Why something is not the function that is wanted. Many names may have one, and one of them is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flaw<'s> {
    /// It is a class.
    Class,
    /// It is a text, a number or the like.
    Constant,
    /// It asks for another parameter besides the input.
    AsksFor(&'s str),
    /// It is written as a method.
    Method,
    /// Its first parameter is another.
    TakesFirst(&'s str),
    /// It takes the input by name alone.
    ByName,
    /// It takes nothing.
    TakesNothing,
}

impl Flaw<'_> {
    fn told(self, part: Range<usize>) -> Fault {
        let def = || format!("write `def {FUNCTION}({INPUT}):`");
        let (message, label, help) = match self {
            Self::Class => {
                (format!("`{FUNCTION}` is a class, and a function is wanted"), "a class", HELP.to_owned())
            }
            Self::Constant => (
                format!("`{FUNCTION}` is a constant, and a function is wanted"),
                "no function",
                HELP.to_owned(),
            ),
            Self::AsksFor(other) => (
                format!("`{FUNCTION}` is called with `{INPUT}` alone, and asks for {} too", quoted(other)),
                "asks for more",
                format!("give {} a default, or take it from `{INPUT}`", quoted(other)),
            ),
            Self::Method => (
                format!("`{FUNCTION}` is no method here: nothing is given for its first parameter"),
                "written as a method",
                def(),
            ),
            Self::TakesFirst(other) => (
                format!("the first parameter of `{FUNCTION}` is {}, and `{INPUT}` is wanted", quoted(other)),
                "another parameter",
                def(),
            ),
            Self::ByName => (
                format!("`{FUNCTION}` takes `{INPUT}` by name only, and is called with it by place"),
                "by name only",
                format!("delete the `*` before it: `def {FUNCTION}({INPUT}):`"),
            ),
            Self::TakesNothing => {
                (format!("`{FUNCTION}` has no parameter `{INPUT}`"), "no such parameter", def())
            }
        };
        Fault { syntax: false, part: Some(part), message, label: label.to_owned(), help }
    }
}

/// Finds out what the source defines as the function.
pub(in super::super) fn find(source: &str) -> Result<Definition, Fault> {
    let mut module = Module {
        scanner: Scanner::new(source),
        token: Token { kind: Kind::End, text: "", start: 0, depth: 0 },
        blocks: Vec::new(),
        inner: 0,
        awaiting: None,
        decorated: false,
        names: HashMap::new(),
        functions: 0,
        only: None,
        hidden: None,
        unseen: None,
    };
    module.read()?;
    module.verdict()
}

/// What opened a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Block {
    /// A condition, a loop and the like: what is bound in it is bound around it.
    Same,
    /// A function: its names are its own.
    Function,
    /// A class: its names are its own.
    Class,
}

/// What the statements so far have given a name to. Where conditions part ways, all of them count.
#[derive(Clone, Debug, Default)]
struct Name<'s> {
    good: Option<Definition>,
    unseen: Option<Range<usize>>,
    bad: Option<(Flaw<'s>, Range<usize>)>,
}

struct Module<'s> {
    scanner: Scanner<'s>,
    token: Token<'s>,
    blocks: Vec<Block>,
    /// How many of the blocks have names of their own.
    inner: usize,
    /// The block that the next line must begin, and the colon that says so.
    awaiting: Option<(Block, Range<usize>)>,
    decorated: bool,
    names: HashMap<&'s str, Name<'s>>,
    /// How many functions the module level has, and the name of the last.
    functions: usize,
    only: Option<(&'s str, Range<usize>)>,
    /// Where the function is defined that nobody outside its block can see.
    hidden: Option<(Block, Range<usize>)>,
    /// Where a function declares that it gives the name to something.
    unseen: Option<Range<usize>>,
}

impl<'s> Module<'s> {
    fn advance(&mut self) -> Result<Token<'s>, Fault> {
        self.token = self.scanner.next()?;
        Ok(self.token)
    }

    fn at_end(&self) -> bool {
        matches!(self.token.kind, Kind::NewLine | Kind::End)
    }

    fn read(&mut self) -> Result<(), Fault> {
        loop {
            self.advance()?;
            match self.token.kind {
                Kind::Indent => match self.awaiting.take() {
                    Some((block, _)) => self.enter(block),
                    None => {
                        return Err(Fault::syntax(
                            self.token.part(),
                            "this line is indented, and nothing before it opens a block",
                            "indented for no reason",
                            "indent it as far as the line before it, or end that line with `:`",
                        ));
                    }
                },
                _ if self.awaiting.is_some() => {
                    let colon = self.awaiting.take().map(|(_, colon)| colon).unwrap_or_default();
                    return Err(Fault::syntax(
                        colon,
                        "a block is missing: no line behind this `:` is indented",
                        "nothing follows",
                        "indent the lines of the block, or write `pass` where it does nothing",
                    ));
                }
                Kind::Dedent => self.leave(),
                Kind::NewLine => {}
                Kind::End => return Ok(()),
                _ => self.line()?,
            }
        }
    }

    fn enter(&mut self, block: Block) {
        self.inner += usize::from(block != Block::Same);
        self.blocks.push(block);
    }

    fn leave(&mut self) {
        let block = self.blocks.pop();
        self.inner -= usize::from(block.is_some_and(|block| block != Block::Same));
    }

    /// Reads a logical line, up to its end.
    fn line(&mut self) -> Result<(), Fault> {
        if self.token.is("@") {
            self.decorated = true;
            while !self.at_end() {
                self.advance()?;
            }
            return Ok(());
        }
        match self.token.word() {
            Some("def") => self.function(false)?,
            Some("class") => self.class()?,
            Some("async") => match self.advance()?.word() {
                Some("def") => self.function(true)?,
                Some(word @ ("for" | "with")) => self.header(word)?,
                _ => self.statements()?,
            },
            Some(
                word @ ("if" | "elif" | "else" | "while" | "for" | "try" | "except" | "finally" | "with"),
            ) => {
                self.header(word)?;
            }
            _ => self.statements()?,
        }
        self.decorated = false;
        Ok(())
    }

    /// `def` and what follows it, up to the end of the line.
    fn function(&mut self, awaited: bool) -> Result<(), Fault> {
        let keyword = self.token;
        let Some(name) = self.advance()?.word() else {
            return Err(Fault::syntax(
                keyword.part(),
                "`def` is followed by no name",
                "a function without a name",
                HELP,
            ));
        };
        let named = self.token;
        self.advance()?;
        if self.token.is("[") {
            // The parameters of types.
            while !self.token.is("]") {
                self.advance()?;
            }
            self.advance()?;
        }
        if !self.token.is("(") {
            return Err(Fault::syntax(
                named.part(),
                format!("the function {} has no parentheses", quoted(name)),
                "no parentheses",
                HELP,
            ));
        }
        self.advance()?;
        let parameters = self.parameters(1, ")")?;
        let place = named.start..self.token.start + 1;
        let colon = self.colon(&keyword, "def")?;
        let bound = match parameters.flaw() {
            None if awaited => Ok(Definition::Awaited(keyword.start..place.end)),
            None => Ok(Definition::Function),
            // A decorator may take or give arguments.
            Some(_) if self.decorated => Ok(Definition::Unseen(place.clone())),
            Some(flaw) => Err((flaw, place.clone())),
        };
        if self.inner == 0 {
            self.functions += 1;
            self.only = Some((name, named.part()));
            self.bind(name, bound);
        } else if name == FUNCTION && self.hidden.is_none() {
            let around = self.blocks.iter().rev().find(|block| **block != Block::Same);
            self.hidden = Some((around.copied().unwrap_or(Block::Function), place));
        }
        self.body(Block::Function, colon)
    }

    fn class(&mut self) -> Result<(), Fault> {
        let keyword = self.token;
        let name = self.advance()?;
        let colon = self.colon(&keyword, "class")?;
        if self.inner == 0 && name.word() == Some(FUNCTION) {
            self.bind(FUNCTION, Err((Flaw::Class, name.part())));
        }
        self.body(Block::Class, colon)
    }

    /// The first line of a block that has no names of its own.
    fn header(&mut self, word: &'s str) -> Result<(), Fault> {
        let keyword = self.token;
        let colon = self.colon(&keyword, word)?;
        self.body(Block::Same, colon)
    }

    /// Passes over the rest of a header, up to its colon, which every block has.
    fn colon(&mut self, keyword: &Token<'s>, word: &str) -> Result<Range<usize>, Fault> {
        let (mut lambdas, mut last) = (0_usize, *keyword);
        let mut targets = word == "for";
        loop {
            let token = self.advance()?;
            if self.at_end() {
                return Err(Fault::syntax(
                    keyword.part(),
                    format!("the line that begins with `{word}` ends without a colon"),
                    "no colon",
                    "end the line with `:`",
                ));
            }
            match token.word() {
                Some("lambda") if token.depth == 0 => lambdas += 1,
                Some("in") if token.depth == 0 => targets = false,
                Some(FUNCTION) if self.inner == 0 => {
                    let given = last.word() == Some("as") && word == "with";
                    if targets || given {
                        self.bind(FUNCTION, Ok(Definition::Unseen(token.part())));
                    }
                }
                _ => {}
            }
            self.walrus(&last, &token);
            if token.is(":") {
                if lambdas == 0 {
                    return Ok(token.part());
                }
                lambdas -= 1;
            }
            last = token;
        }
    }

    /// What follows the colon: statements on the same line, or a block of lines.
    fn body(&mut self, block: Block, colon: Range<usize>) -> Result<(), Fault> {
        self.advance()?;
        if self.at_end() {
            self.awaiting = Some((block, colon));
            return Ok(());
        }
        self.enter(block);
        let result = self.statements();
        self.leave();
        result
    }

    /// Statements up to the end of the line.
    fn statements(&mut self) -> Result<(), Fault> {
        loop {
            match self.token.word() {
                Some("import") => self.import(true)?,
                Some("from") => self.import(false)?,
                Some("global" | "nonlocal") => self.global()?,
                Some("del") => self.delete()?,
                _ => self.simple()?,
            }
            if self.at_end() {
                return Ok(());
            }
            self.advance()?;
            if self.at_end() {
                return Ok(());
            }
        }
    }

    fn ends_statement(&self) -> bool {
        self.at_end() || self.token.is(";")
    }

    /// An import, from behind the names of the module on.
    fn import(&mut self, mut started: bool) -> Result<(), Fault> {
        let mut last = self.token;
        let mut given: Option<Range<usize>> = None;
        loop {
            self.advance()?;
            let token = self.token;
            let ends = self.ends_statement();
            if (ends || token.text == "," && token.kind == Kind::Sign)
                && let Some(place) = given.take()
                && self.inner == 0
            {
                self.bind(FUNCTION, Ok(Definition::Unseen(place)));
            }
            if ends {
                return Ok(());
            }
            if !started {
                started = token.word() == Some("import");
            } else if token.text == "*" && self.inner == 0 {
                // It may give the name to something, and need not.
                self.names.entry(FUNCTION).or_default().unseen = Some(token.part());
            } else if token.word() == Some("as") {
                given = None;
            } else if token.word() == Some(FUNCTION) && last.text != "." {
                given = Some(token.part());
            }
            last = token;
        }
    }

    /// `global`: a function may give the name to anything.
    fn global(&mut self) -> Result<(), Fault> {
        while !self.ends_statement() {
            if self.token.word() == Some(FUNCTION) && self.inner > 0 {
                self.unseen.get_or_insert(self.token.part());
            }
            self.advance()?;
        }
        Ok(())
    }

    fn delete(&mut self) -> Result<(), Fault> {
        let mut last = self.token;
        while !self.ends_statement() {
            let token = self.advance()?;
            if token.word() == Some(FUNCTION) && last.text != "." && self.blocks.is_empty() {
                self.names.remove(FUNCTION);
            }
            last = token;
        }
        Ok(())
    }

    /// A statement of another sort: it may give the name to something.
    fn simple(&mut self) -> Result<(), Fault> {
        let mut side = Side::default();
        let (mut bound, mut exact) = (None, true);
        let mut annotation = false;
        let mut last: Option<Token<'s>> = None;
        while !self.ends_statement() {
            let token = self.token;
            if let Some(last) = &last {
                self.walrus(last, &token);
            }
            if token.is("=") {
                if let Some(place) = side.target() {
                    bound = Some(place);
                }
                exact &= side.tokens == 1;
                side = Side::default();
                annotation = false;
            } else if token.is(":") {
                // What follows, up to a value, is a type.
                annotation = true;
            } else if token.word() == Some("lambda") && side.tokens == 0 && bound.is_some() {
                self.advance()?;
                let parameters = self.parameters(0, ":")?;
                side.lambda = Some(parameters);
                side.tokens = 2;
                // A line may end here, and so may the source.
                if self.ends_statement() {
                    break;
                }
            } else if !annotation {
                side.take(&token);
            }
            last = Some(token);
            self.advance()?;
        }
        if let Some(place) = bound.filter(|_| self.inner == 0) {
            let value = if exact { Self::value(&side, &place) } else { Ok(Definition::Unseen(place)) };
            match (value, side.name.filter(|name| exact && side.tokens == 1 && *name != FUNCTION)) {
                (_, Some(other)) if self.names.contains_key(other) => {
                    let known = self.names[other].clone();
                    self.bind_all(FUNCTION, known);
                }
                // `run = timed(run)` is what a decorator does.
                _ if side.mentions && self.names.get(FUNCTION).is_some_and(|name| name.good.is_some()) => {}
                (value, _) => self.bind(FUNCTION, value),
            }
        }
        if let Some(last) = last.filter(|last| self.at_end() && last.is(":")) {
            // `match` and `case` are keywords only where they begin such a line.
            self.awaiting = Some((Block::Same, last.part()));
        }
        Ok(())
    }

    /// What the right side of an assignment is.
    fn value(side: &Side<'s>, place: &Range<usize>) -> Bound<'s> {
        if let Some(parameters) = &side.lambda {
            let flaw = parameters.flaw();
            return flaw.map_or(Ok(Definition::Function), |flaw| Err((flaw, place.clone())));
        }
        let constant =
            side.tokens == 1 && (side.constant || matches!(side.name, Some("None" | "True" | "False")));
        if constant {
            return Err((Flaw::Constant, place.clone()));
        }
        Ok(Definition::Unseen(place.clone()))
    }

    /// `run := …` gives the name to something too.
    fn walrus(&mut self, last: &Token<'s>, token: &Token<'s>) {
        if self.inner == 0 && token.text == ":=" && last.word() == Some(FUNCTION) {
            self.bind(FUNCTION, Ok(Definition::Unseen(last.part())));
        }
    }

    fn bind(&mut self, name: &'s str, bound: Bound<'s>) {
        let mut new = Name::default();
        match bound {
            Ok(Definition::Unseen(place)) => new.unseen = Some(place),
            Ok(good) => new.good = Some(good),
            Err(bad) => new.bad = Some(bad),
        }
        self.bind_all(name, new);
    }

    fn bind_all(&mut self, name: &'s str, new: Name<'s>) {
        let old = self.names.entry(name).or_default();
        if self.blocks.is_empty() {
            *old = new;
            return;
        }
        // What is bound under a condition may be, and what was bound before may stay.
        old.good = new.good.or(old.good.take());
        old.unseen = new.unseen.or(old.unseen.take());
        old.bad = new.bad.or(old.bad.take());
    }

    fn verdict(mut self) -> Result<Definition, Fault> {
        let name = self.names.remove(FUNCTION).unwrap_or_default();
        if let Some(good) = name.good {
            return Ok(good);
        }
        if let Some(place) = name.unseen.or(self.unseen) {
            return Ok(Definition::Unseen(place));
        }
        if let Some((flaw, place)) = name.bad {
            return Err(flaw.told(place));
        }
        let none = |part, label: &str, message: String, help: String| Fault {
            syntax: false,
            part,
            message,
            label: label.to_owned(),
            help,
        };
        Err(match (self.hidden, self.only) {
            (Some((Block::Class, place)), _) => none(
                Some(place),
                "part of a class",
                format!("`{FUNCTION}` is a method here, and a function of the code itself is wanted"),
                HELP.to_owned(),
            ),
            (Some((_, place)), _) => none(
                Some(place),
                "only seen inside",
                format!("`{FUNCTION}` is defined inside another function, where nobody else can call it"),
                HELP.to_owned(),
            ),
            (None, Some((FUNCTION, place))) if self.functions == 1 => none(
                Some(place),
                "deleted later",
                format!("`{FUNCTION}` is defined here, and deleted after that"),
                format!("keep it: the code is called by the name `{FUNCTION}`"),
            ),
            (None, Some((only, place))) if self.functions == 1 => none(
                Some(place),
                "another name",
                format!(
                    "the code defines no function `{FUNCTION}({INPUT})`; the only one is called {}",
                    quoted(only)
                ),
                format!("call this function `{FUNCTION}`, if it is meant"),
            ),
            _ => none(
                None,
                "no such function",
                format!("the code defines no function `{FUNCTION}({INPUT})`"),
                HELP.to_owned(),
            ),
        })
    }

    /// The parameters of a function, up to the sign that ends them, which stands outside of them.
    fn parameters(&mut self, depth: usize, end: &str) -> Result<Parameters<'s>, Fault> {
        let mut parameters = Parameters::default();
        let mut item = Item::default();
        // A default may hold functions with parameters of their own.
        let mut lambdas = 0_usize;
        loop {
            let token = self.token;
            let ends = token.is(end) && (lambdas == 0 || end != ":");
            if ends || self.at_end() {
                parameters.add(&item);
                return Ok(parameters);
            }
            if token.depth == depth {
                match (token.kind, token.text) {
                    (Kind::Name, "lambda") => lambdas += 1,
                    (Kind::Sign, ":") if lambdas > 0 => lambdas -= 1,
                    (Kind::Sign, ",") if lambdas == 0 => {
                        parameters.add(&item);
                        item = Item::default();
                    }
                    (Kind::Sign, "=") if lambdas == 0 => item.has_default = true,
                    (Kind::Sign, "*") if item.is_empty() => item.stars = 1,
                    (Kind::Sign, "**") if item.is_empty() => item.stars = 2,
                    (Kind::Name, name) if item.name.is_none() && !item.has_default => item.name = Some(name),
                    _ => {}
                }
            }
            self.advance()?;
        }
    }
}

/// One side of an assignment.
#[derive(Default)]
struct Side<'s> {
    tokens: usize,
    /// Its last name at the level of the statement.
    name: Option<&'s str>,
    constant: bool,
    mentions: bool,
    /// Where the name of the function stands as something to give a value to.
    candidate: Option<Range<usize>>,
    last: Option<Token<'s>>,
    /// Whether it begins with a bracket: then names in it are given values too.
    bracketed: bool,
    lambda: Option<Parameters<'s>>,
}

impl<'s> Side<'s> {
    fn take(&mut self, token: &Token<'s>) {
        if self.tokens == 0 {
            self.bracketed = token.is("(") || token.is("[");
            self.constant = matches!(token.kind, Kind::Text | Kind::Number);
        }
        self.tokens = self.tokens.saturating_add(1);
        self.mentions |= token.word() == Some(FUNCTION);
        if token.depth == 0 {
            self.name = token.word().or(self.name);
        }
        let at_level = token.depth == 0 || self.bracketed && token.depth == 1;
        let behind = self.last.is_some_and(|last| last.text == ".");
        if at_level && !behind && token.word() == Some(FUNCTION) {
            self.candidate.get_or_insert(token.part());
        } else if self.last.is_some_and(|last| last.word() == Some(FUNCTION))
            && matches!(token.text, "." | "(" | "[")
        {
            // A part of what the name stands for is given a value, not the name.
            self.candidate = None;
        }
        self.last = Some(*token);
    }

    fn target(&self) -> Option<Range<usize>> {
        self.candidate.clone()
    }
}

/// One parameter, as far as it was read.
#[derive(Default)]
struct Item<'s> {
    stars: usize,
    name: Option<&'s str>,
    has_default: bool,
}

impl Item<'_> {
    fn is_empty(&self) -> bool {
        self.stars == 0 && self.name.is_none()
    }
}

/// What is needed of the parameters of a function.
#[derive(Default)]
struct Parameters<'s> {
    /// The first that is given by place.
    first: Option<&'s str>,
    second: Option<&'s str>,
    /// The first of the others that have no default.
    demanded: Option<&'s str>,
    /// Whether those that follow are given by name only.
    by_name: bool,
    /// Whether the input is one of those.
    input_by_name: bool,
    /// Whether `*` and `**` take whatever else comes, by place and by name.
    takes_rest: [bool; 2],
}

impl<'s> Parameters<'s> {
    fn add(&mut self, item: &Item<'s>) {
        match (item.stars, item.name) {
            (1, name) => {
                self.by_name = true;
                self.takes_rest[0] |= name.is_some();
            }
            (2, _) => self.takes_rest[1] = true,
            (_, None) => {}
            (_, Some(name)) if self.by_name => {
                self.input_by_name |= name == INPUT;
                if !item.has_default {
                    self.demanded = self.demanded.or(Some(name));
                }
            }
            (_, Some(name)) if self.first.is_none() => self.first = Some(name),
            (_, Some(name)) => {
                self.second = self.second.or(Some(name));
                if !item.has_default {
                    self.demanded = self.demanded.or(Some(name));
                }
            }
        }
    }

    /// Why a call with the input alone does not reach the function, if it does not.
    fn flaw(&self) -> Option<Flaw<'s>> {
        match (self.first, self.demanded) {
            (Some(INPUT), None) => None,
            (None, None) if self.takes_rest == [true, true] => None,
            (Some(INPUT), Some(demanded)) => Some(Flaw::AsksFor(demanded)),
            (Some("self" | "cls"), _) if self.second == Some(INPUT) => Some(Flaw::Method),
            (Some(other), _) => Some(Flaw::TakesFirst(other)),
            (None, _) if self.input_by_name => Some(Flaw::ByName),
            (None, _) => Some(Flaw::TakesNothing),
        }
    }
}
