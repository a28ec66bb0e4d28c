use super::{Definition, find};
use proptest::prelude::*;
use std::time::{Duration, Instant};

/// What is found in a source, in a few words: the definition, or the fault with the text that it is about.
fn found(source: &str) -> String {
    match find(source) {
        Ok(Definition::Function) => "function".to_owned(),
        Ok(Definition::Awaited(part)) => format!("awaited {}", &source[part]),
        Ok(Definition::Unseen(part)) => format!("unseen {}", &source[part]),
        Err(fault) => {
            let part = fault.part.map_or("", |part| &source[part]);
            format!("{} {part}", if fault.syntax { "syntax" } else { "missing" })
                .trim_end_matches([' ', '\t'])
                .to_owned()
        }
    }
}

fn check(table: &[(&str, &str)]) {
    let wrong: Vec<String> = table
        .iter()
        .map(|(source, expected)| (source, expected, found(source)))
        .filter(|(_, expected, found)| found != *expected)
        .map(|(source, expected, found)| format!("{source}\n    expected {expected}\n    found    {found}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn parameters_take_the_input_or_not() {
    for (parameters, expected) in [
        ("input_data", "function"),
        (" input_data ", "function"),
        ("input_data,", "function"),
        ("input_data: dict", "function"),
        ("input_data: dict[str, list[int]] = {}", "function"),
        ("input_data=None", "function"),
        ("input_data, /", "function"),
        ("input_data, limit=5", "function"),
        ("input_data, *, limit=5", "function"),
        ("input_data, *more", "function"),
        ("input_data, **more", "function"),
        ("input_data, key=lambda a, b: a", "function"),
        ("input_data, key=lambda a=lambda: 1, *b: a, more=2", "function"),
        ("input_data, form=f'{1:{2}}, {\"a\"}'", "function"),
        ("\n    input_data,  # what comes in\n    limit = (1, 2),\n", "function"),
        ("*args, **kwargs", "function"),
        ("", "missing run()"),
        ("data", "missing run(data)"),
        ("_input_data", "missing run(_input_data)"),
        ("input_data, limit", "missing run(input_data, limit)"),
        ("input_data, limit: int", "missing run(input_data, limit: int)"),
        ("input_data, *, limit", "missing run(input_data, *, limit)"),
        ("*, input_data", "missing run(*, input_data)"),
        ("*input_data", "missing run(*input_data)"),
        ("**input_data", "missing run(**input_data)"),
        ("*args", "missing run(*args)"),
        ("**kwargs", "missing run(**kwargs)"),
        ("self, input_data", "missing run(self, input_data)"),
        ("context, input_data", "missing run(context, input_data)"),
    ] {
        let source = format!("def run({parameters}):\n    return {{}}\n");
        assert_eq!(found(&source), expected, "{source}");
    }
}

#[test]
fn lambdas_take_the_input_or_not() {
    check(&[
        ("run = lambda input_data: {}", "function"),
        ("run = lambda input_data, n=1: input_data[n:]", "function"),
        ("run = lambda input_data, f=lambda x: x: f", "function"),
        ("run: Callable[[dict], dict] = lambda input_data: {}", "function"),
        ("handle = run = lambda input_data: {}", "function"),
        ("handle, run = make(), lambda input_data: {}", "unseen run"),
        ("run = lambda: {}", "missing run"),
        ("run = lambda x: {}", "missing run"),
    ]);
}

#[test]
fn a_function_counts_where_a_caller_finds_it() {
    check(&[
        ("def run(input_data): return {}", "function"),
        ("def run(input_data) -> dict[str, int]:\n  return {}", "function"),
        ("def run[T](input_data: T) -> T:\n  return input_data", "function"),
        ("def \\\n  run(input_data): pass", "function"),
        ("\u{feff}def run(input_data): pass", "function"),
        ("def run(input_data):\r\n\treturn {}\r\n", "function"),
        ("def run(input_data):\r    return {}\r", "function"),
        ("@tool\n@other(name='x')\ndef run(input_data):\n    pass", "function"),
        ("@tool\ndef run(context, input_data):\n    pass", "unseen run(context, input_data)"),
        ("async def run(input_data):\n    return {}", "awaited def run(input_data)"),
        ("if True:\n    def run(input_data):\n        pass", "function"),
        (
            "try:\n    import x\nexcept ImportError:\n    def run(input_data):\n        return 1\nelse:\n    def run(input_data):\n        return 2",
            "function",
        ),
        ("def run():\n    pass\nif x:\n    def run(input_data):\n        pass", "function"),
        ("match x:\n    case 1:\n        def run(input_data):\n            pass", "function"),
        ("run = None\nfor _ in range(1):\n    def run(input_data): pass", "function"),
        ("def handle(input_data):\n    pass\nrun = handle", "function"),
        ("def handle():\n    pass\nrun = handle", "missing handle()"),
        ("def run(input_data):\n    pass\nrun = timed(run)", "function"),
        // The last definition is the one that is called.
        ("def run(x):\n    pass\ndef run(input_data):\n    pass", "function"),
        ("def run(input_data):\n    pass\ndef run(x):\n    pass", "missing run(x)"),
        ("def run(input_data):\n    pass\nrun = None", "missing run"),
        ("def run(input_data):\n    pass\nrun = 'x'", "missing run"),
        ("def run(input_data):\n    pass\nrun = .5", "missing run"),
        ("def run(input_data):\n    pass\ndel run", "missing run"),
        (
            "def run(input_data):\n    pass\nrun.name = 'x'\nrun['a'] = 1\nrun(1).x = 2\nx: run = 1",
            "function",
        ),
        ("def run(input_data):\n    pass\nx = {'run': 1}\nprint(run=2)\nx[run] = 3", "function"),
        ("", "missing"),
        ("x = 1\n", "missing"),
        ("def main(input_data):\n    return {}\n", "missing main"),
        ("def one(input_data): pass\ndef two(input_data): pass", "missing"),
        ("def rerun(input_data):\n    pass\nx.run = rerun", "missing rerun"),
        ("# def run(input_data):\n#     pass\n", "missing"),
        ("'''\ndef run(input_data):\n    pass\n'''\n", "missing"),
        ("x = f'''\ndef run(input_data):\n    {1}\n'''\n", "missing"),
        ("x = (\ndef_run, (input_data))", "missing"),
        ("class Tool:\n    def run(self, input_data):\n        pass", "missing run(self, input_data)"),
        ("class Tool:\n    run = lambda input_data: 1", "missing"),
        ("class Tool: run = lambda input_data: 1", "missing"),
        ("class run:\n    def __init__(self, input_data): pass", "missing run"),
        ("def make():\n    def run(input_data):\n        pass\n    return run", "missing run(input_data)"),
        ("if x:\n    class A:\n        def run(input_data): pass", "missing run(input_data)"),
        ("Def = 1\nrun = 1", "missing run"),
    ]);
}

#[test]
fn what_is_wrong_with_a_definition_is_said() {
    for (source, said) in [
        ("class run: pass", "`run` is a class, and a function is wanted"),
        ("run = 1", "`run` is a constant, and a function is wanted"),
        (
            "def run(input_data, limit): pass",
            "`run` is called with `input_data` alone, and asks for `limit` too",
        ),
        (
            "def run(self, input_data): pass",
            "`run` is no method here: nothing is given for its first parameter",
        ),
        ("def run(self): pass", "the first parameter of `run` is `self`, and `input_data` is wanted"),
        ("def run(data): pass", "the first parameter of `run` is `data`, and `input_data` is wanted"),
        (
            "def run(*, input_data): pass",
            "`run` takes `input_data` by name only, and is called with it by place",
        ),
        ("def run(*, data=1): pass", "`run` has no parameter `input_data`"),
        ("def run(): pass", "`run` has no parameter `input_data`"),
    ] {
        assert_eq!(find(source).err().map(|fault| fault.message).as_deref(), Some(said), "{source}");
    }
}

#[test]
fn what_is_made_elsewhere_is_not_seen() {
    check(&[
        ("from helpers import run", "unseen run"),
        ("from helpers import a, b as run, c", "unseen run"),
        ("from .helpers import (\n    a,\n    run,\n)", "unseen run"),
        ("import run", "unseen run"),
        ("import helpers.run as run", "unseen run"),
        ("import helpers.run", "missing"),
        ("from run import x", "missing"),
        ("def setup():\n    from helpers import run\n", "missing setup"),
        ("from helpers import (run, other)", "unseen run"),
        ("def setup():\n    from helpers import *\n", "missing setup"),
        ("from helpers import run as other", "missing"),
        ("from helpers import *", "unseen *"),
        ("from helpers import *\ndef run():\n    pass", "missing run()"),
        ("def run(input_data):\n    pass\nfrom helpers import *", "function"),
        ("run = functools.partial(handle, 1)", "unseen run"),
        ("run, x = make()", "unseen run"),
        ("(run, x) = make()", "unseen run"),
        ("print(run := make())", "unseen run"),
        ("if (run := make()): pass", "unseen run"),
        ("for run in handlers: pass", "unseen run"),
        ("with make() as run: pass", "unseen run"),
        ("def setup():\n    global run\n    run = 1\nsetup()", "unseen run"),
        ("x = 1; run = make()", "unseen run"),
        ("if x: y = 1; run = make()", "unseen run"),
    ]);
}

#[test]
fn sound_source_is_taken_apart_as_python_does() {
    for source in [
        "x = 'a' \"b\" r'\\\\' '''c\nd''' b\"e\" Rb'\\''",
        "x = '\\\n' \"\\\"\" '\\\\'",
        "x = u'a' U\"b\" F'{y}' fR'\\{y}' t'{y}'",
        "x = f'{y!r:>{width}}' f'{{}}' f'{y:{{}}}' f\"{'a' 'b'}\"",
        "x = f\"{d[\"key\"]}\" f'{f'{f'{1}'}'}'",
        "x = f'''{\n  y  # note ' \"\n}'''",
        "x = f'{y\n}'",
        "x = f'\\N{LATIN SMALL LETTER A}' f'{y=}' f'{y != z}' f'{(lambda a: a)(1)}' f'{y:%H:%M}'",
        "x = f'{y:\\'}' f'{ {1: 2}[1] }'",
        "x = [\n1,\n  2]\ny = {\n'a': (\n3)}\n",
        "if x:\n\ty = 1\n\tif z:\n\t\ty = 2\n",
        "if x:\n    y = 1\n  # a comment in between\n\n    z = 2\n",
        "if x:\n    y = 1\n\n\n",
        "if x:\n        y = 1\nif x:\n\tz = 2\n",
        "x = 1 + \\\n    2\nif x: pass\nelse: pass",
        "while x: y; z;",
        "café = 1\nπ = 2\nx‿y = 3",
        "x = a if b else c\ny: int\nz: int = 1\nd = {1: 2}\ne = l[1:2]",
        "async def f():\n    async with a as b, c:\n        async for d in e: pass\n",
        "match = 1\nmatch[1] = 2\nmatch x:\n  case [1, *_] if y: pass\n  case _: pass",
        "x = 0x1F; y = 1_000.5e-3j; z = .5; w = 1.",
        "x = a @ b; y **= 2; z //= 3; w <<= 1; v >>= 1; u @= t; s -= 1; r |= q; p ^= o; n &= m; l %= k",
        "def f(a, /, b, *, c): ...\n\x0cdef g(): ...\n",
        "x = not y; a = b is not c; a = ~b; a = b != c; a = b <= c >= d",
        "class A(B, metaclass=C): x = 1; y = 2",
        "class A[T: int]: pass\ntype X[T] = list[T]",
        "try: pass\nexcept* E: pass\nfinally: pass",
        "lambda: (yield)\nif (lambda: 1)(): pass\nwhile lambda: 1: break",
        "\\\nx = 1",
        "  \\\n\nx = 1",
        "x = 1  \n",
    ] {
        let source = format!("{source}\ndef run(input_data): pass\n");
        assert_eq!(found(&source), "function", "{source}");
    }
}

#[test]
fn broken_source_is_found_at_its_place() {
    check(&[
        ("def run(input_data):\n    return 'a\n", "syntax 'a"),
        ("x = \"it's\ny = 1", "syntax \"it's"),
        ("x = '''a\nb", "syntax '''a"),
        ("x = f'{a", "syntax {"),
        ("x = f'{a'", "syntax '"),
        ("x = f'{a:b'", "syntax {"),
        ("x = f'{a)}'", "syntax )"),
        // In a raw string there are no names of characters.
        ("x = rf'\\N{(}'", "syntax }"),
        ("x = (1,\ny = 2\n", "syntax ("),
        ("x = [1, {2: (3}]\n", "syntax }"),
        ("x = 1)\n", "syntax )"),
        ("x = {]\n", "syntax ]"),
        ("def run(input_data)\n    return {}\n", "syntax def"),
        ("def run(input_data) -> dict\n", "syntax def"),
        ("def run:\n    pass", "syntax run"),
        ("def run input_data:\n    pass", "syntax run"),
        ("def (input_data):\n    pass", "syntax def"),
        ("def run(input_data):\nreturn {}\n", "syntax :"),
        ("def run(input_data):\n", "syntax :"),
        ("class A:\n\ndef run(input_data): pass", "syntax :"),
        ("def run(input_data):\n    if input_data\n        pass", "syntax if"),
        ("def run(input_data):\n    x = 1\n      y = 2\n", "syntax"),
        ("  def run(input_data):\n    pass\n", "syntax"),
        ("def run(input_data):\n        x = 1\n    y = 2\n", "syntax"),
        ("def run(input_data):\n    x = 1\n\ty = 2\n", "syntax"),
        ("if x:\n        y = 1\n\tz = 2\n", "syntax"),
        ("x = “a”", "syntax “"),
        ("x = a\u{a0}+ b", "syntax \u{a0}"),
        ("x = a – b", "syntax –"),
        ("x = a\u{200b}", "syntax \u{200b}"),
        ("x = $a", "syntax $"),
        ("x = a ? b : c", "syntax ?"),
        ("x = !a", "syntax !"),
        ("x = `a`", "syntax `"),
        ("x = 1 \\ \ny = 2", "syntax \\"),
        ("x = 1 \\", "syntax \\"),
        ("x = \0", "syntax \0"),
    ]);
}

#[test]
fn nesting_ends_where_python_ends_it() {
    let nested =
        |depth: usize| format!("x = {}{}\ndef run(input_data): pass", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(found(&nested(200)), "function");
    assert_eq!(found(&nested(201)), "syntax (");
    let blocks = |depth: usize| {
        let lines: Vec<String> = (0..depth).map(|level| format!("{}if x:\n", " ".repeat(level))).collect();
        let lines = lines.concat();
        format!("{lines}{}y\ndef run(input_data): pass", " ".repeat(depth))
    };
    assert_eq!(found(&blocks(98)), "function");
    assert!(found(&blocks(100)).starts_with("syntax"));
    assert_eq!(found(&"f'{".repeat(100_000)), "syntax {");
}

/// Pieces of Python, put together at random: most of what they make is broken somewhere.
fn sources() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "def run(input_data)",
        ":",
        "\n",
        "    ",
        "\t",
        " ",
        "pass",
        "return",
        "class A",
        "if x",
        "else",
        "lambda x",
        "run",
        "input_data",
        "=",
        ":=",
        ",",
        "*",
        "**",
        "/",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "\"",
        "'",
        "\"\"\"",
        "'''",
        "f'",
        "rf\"",
        "\\",
        "\\\n",
        "#",
        ";",
        "@",
        "->",
        ".",
        "import",
        "from",
        "as",
        "global",
        "del",
        "async",
        "match",
        "1",
        "!",
        "\r\n",
        "é",
        "“",
        "\u{a0}",
        "\0",
        "\u{feff}",
    ]);
    prop_oneof![prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat()), any::<String>()]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_comes_in_a_place_comes_out(source in sources()) {
        let part = match find(&source) {
            Ok(Definition::Function) => None,
            Ok(Definition::Awaited(part) | Definition::Unseen(part)) => Some(part),
            Err(fault) => fault.part,
        };
        prop_assert!(part.is_none_or(|part| source.get(part).is_some()), "{source:?}");
    }
}

#[test]
fn long_source_takes_time_in_proportion() {
    let start = Instant::now();
    for piece in [
        "(",
        "f'{",
        "def f(): pass\n",
        "def f(a, b=lambda: 1): pass\n",
        "x = 1; ",
        "\\\n",
        "if x:\n    import run\n",
        "\"a\" ",
        "'''",
        "#\n",
        "run = ",
        "x, ",
        "\t\n",
        "a.b",
        "é",
    ] {
        let _ = find(&piece.repeat(400_000 / piece.len()));
    }
    // Anything worse than linear would take minutes.
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}
