//! Mutants put into a source file, each behind its number, so that one build holds them all.

use super::Mutant;
use proc_macro2::Span;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// A file with mutants in it.
#[derive(Debug, Default)]
pub(super) struct Rewritten {
    pub(super) text: String,
    /// Where the text of a mutant is, by its number.
    pub(super) inserted: Vec<(Range<usize>, usize)>,
    /// The mutants that have no place here.
    pub(super) unplaced: Vec<usize>,
}

/// What is put in at a place.
struct Insert {
    at: usize,
    /// At the same place what closes comes before what opens, and of those that open the longest is the outermost.
    order: (bool, Reverse<usize>),
    text: String,
    number: usize,
}

/// Puts mutants into a file. All is put in and nothing taken out, so mutants may lie in one another.
pub(super) fn rewrite(source: &str, mutants: &[&Mutant]) -> syn::Result<Rewritten> {
    let mut targets = Targets::default();
    targets.visit_file(&syn::parse_file(source)?);
    let mut inserts = Vec::new();
    let mut rewritten = Rewritten::default();
    for mutant in mutants {
        if let Some(several) = inserts_of(source, mutant, &targets.0) {
            inserts.extend(several);
        } else {
            rewritten.unplaced.push(mutant.number);
        }
    }
    inserts.sort_by_key(|insert| (insert.at, insert.order));
    let mut copied = 0;
    for Insert { at, text, number, .. } in inserts {
        rewritten.text.push_str(source.get(copied..at).unwrap_or_default());
        copied = at;
        let start = rewritten.text.len();
        rewritten.text.push_str(&text);
        rewritten.inserted.push((start..rewritten.text.len(), number));
    }
    rewritten.text.push_str(source.get(copied..).unwrap_or_default());
    Ok(rewritten)
}

/// What one mutant puts in; nothing, if its place is not found.
fn inserts_of(source: &str, mutant: &Mutant, targets: &HashMap<Range<usize>, Target>) -> Option<Vec<Insert>> {
    let span = offset(source, mutant.span.0)?..offset(source, mutant.span.1)?;
    let number = mutant.number;
    let on = format!("crate::mutant_is_on({number})");
    let replacement = &mutant.replacement;
    let open = |at, end, text: String| Insert { at, order: (true, Reverse(end)), text, number };
    if mutant.genre == "FnValue" {
        let text = format!("if {on} {{ return {replacement}; }} ");
        return Some(vec![open(span.start, usize::MAX, text)]);
    }
    Some(match targets.get(&span)? {
        Target::Arm { pattern_end } => vec![open(*pattern_end, *pattern_end, format!(" if !{on}"))],
        Target::Expression(whole) => {
            let before = source.get(whole.start..span.start)?;
            let after = source.get(span.end..whole.end)?;
            let text = format!("(if {on} {{ {before}{replacement}{after} }} else {{ ");
            let close = Insert { at: whole.end, order: (false, Reverse(0)), text: " })".to_owned(), number };
            vec![open(whole.start, whole.end, text), close]
        }
    })
}

/// The offset of a line and a column, both counted from 1, the column in characters.
fn offset(source: &str, (line, column): (usize, usize)) -> Option<usize> {
    let before: usize = source.split_inclusive('\n').take(line.checked_sub(1)?).map(str::len).sum();
    let width = source.get(before..)?.chars().take(column.checked_sub(1)?).map(char::len_utf8).sum::<usize>();
    Some(before + width)
}

/// What has to be known to replace the text of a span.
enum Target {
    /// The expression that is another one with the mutant.
    Expression(Range<usize>),
    /// The arm that is left out, by a guard after its pattern.
    Arm { pattern_end: usize },
}

/// Everything in a file that may be replaced, by the span that is.
#[derive(Default)]
struct Targets(HashMap<Range<usize>, Target>);

impl Targets {
    fn expression(&mut self, replaced: Span, whole: Span) {
        self.0.insert(replaced.byte_range(), Target::Expression(whole.byte_range()));
    }
}

impl<'ast> Visit<'ast> for Targets {
    fn visit_expr_binary(&mut self, node: &'ast syn::ExprBinary) {
        self.expression(node.op.span(), node.span());
        visit::visit_expr_binary(self, node);
    }

    fn visit_expr_unary(&mut self, node: &'ast syn::ExprUnary) {
        self.expression(node.op.span(), node.span());
        visit::visit_expr_unary(self, node);
    }

    fn visit_expr_struct(&mut self, node: &'ast syn::ExprStruct) {
        for field in node.fields.pairs() {
            self.expression(field.span(), node.span());
        }
        visit::visit_expr_struct(self, node);
    }

    fn visit_arm(&mut self, node: &'ast syn::Arm) {
        if let syn::Pat::Guard(guarded) = &node.pat {
            self.expression(guarded.guard.span(), guarded.guard.span());
        } else {
            let pattern_end = node.pat.span().byte_range().end;
            self.0.insert(node.span().byte_range(), Target::Arm { pattern_end });
        }
        visit::visit_arm(self, node);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_genre_is_put_behind_its_number() {
        let source =
            "fn f(é: u8) -> u8 {\n    match é { 1 if !g() => 2, 3 => S { a: 1, ..s }.b + -4, _ => 5 }\n}\n";
        let line = source.lines().nth(1).expect("a line");
        for (genre, replaced, replacement, expected) in [
            (
                "FnValue",
                "match é { 1 if !g() => 2, 3 => S { a: 1, ..s }.b + -4, _ => 5 }",
                "7",
                "if crate::mutant_is_on(9) { return 7; } match é",
            ),
            ("MatchArmGuard", "!g()", "true", "1 if (if crate::mutant_is_on(9) { true } else { !g() }) => 2"),
            ("UnaryOperator", "!", "", "1 if (if crate::mutant_is_on(9) { g() } else { !g() }) => 2"),
            ("MatchArm", "3 => S { a: 1, ..s }.b + -4,", "", "3 if !crate::mutant_is_on(9) => S"),
            (
                "StructField",
                "a: 1,",
                "",
                "3 => (if crate::mutant_is_on(9) { S {  ..s } } else { S { a: 1, ..s } }).b",
            ),
            (
                "BinaryOperator",
                "+",
                "*",
                "3 => (if crate::mutant_is_on(9) { S { a: 1, ..s }.b * -4 } else { S { a: 1, ..s }.b + -4 }), _",
            ),
        ] {
            let column = |at| line.get(..at).map_or(0, |text| text.chars().count()) + 1;
            let start = line.find(replaced).expect(replaced);
            let mutant = Mutant {
                number: 9,
                genre: genre.to_owned(),
                replacement: replacement.to_owned(),
                span: ((2, column(start)), (2, column(start + replaced.len()))),
                ..Mutant::default()
            };
            let rewritten = rewrite(source, &[&mutant]).expect("Rust");
            assert!(rewritten.text.contains(expected), "{genre}: {}", rewritten.text);
        }
    }

    #[test]
    fn mutants_lie_in_one_another() {
        let source = "fn f() -> bool {\n    a && b == c\n}\n";
        let mutant = |number, span, replacement: &str| Mutant {
            number,
            span,
            replacement: replacement.to_owned(),
            ..Mutant::default()
        };
        let outer = mutant(1, ((2, 7), (2, 9)), "||");
        let inner = mutant(2, ((2, 12), (2, 14)), "!=");
        let value = Mutant { genre: "FnValue".to_owned(), ..mutant(3, ((2, 5), (2, 16)), "true") };
        let rewritten = rewrite(source, &[&inner, &outer, &value]).expect("Rust");
        assert_eq!(
            rewritten.text,
            "fn f() -> bool {\n    if crate::mutant_is_on(3) { return true; } \
             (if crate::mutant_is_on(1) { a || b == c } else { \
             a && (if crate::mutant_is_on(2) { b != c } else { b == c }) })\n}\n"
        );
    }
}
