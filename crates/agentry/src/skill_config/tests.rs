use super::*;
use agentry_text::{Lines, Mode, Reading};

/// What is found in a text: severity, rule, pointer and place, one line each. What is read is written and read again.
fn found(text: &str) -> String {
    let document = agentry_text::yaml::parse(text);
    let reading: Reading<SkillConfig> =
        agentry_text::read_document(&document, Mode::Strict).placed(document.root.as_ref(), text);
    assert_eq!(
        reading.value.is_some(),
        reading.is_valid(),
        "a value is there exactly when no error is:\n{text}"
    );
    if let Some(value) = &reading.value {
        let written = agentry_text::yaml::to_string(value).expect("what was read can be written");
        let again: Option<SkillConfig> = agentry_text::yaml::from_str(&written).ok();
        assert_eq!(again.as_ref(), Some(value), "another value is read from\n{written}");
    }
    let lines = Lines::new(text);
    let findings = reading.findings.iter().map(|finding| {
        let at = lines.position(finding.span.start);
        let key = finding.key.as_ref().map_or_else(String::new, |key| format!(" {key}"));
        let (severity, rule) = (finding.severity.name(), finding.rule.name);
        format!("{severity} {rule} {}{key} {}:{}", finding.pointer, at.line, at.column)
    });
    findings.collect::<Vec<_>>().join("\n")
}

/// Checks that lines below a name have exactly the findings that stand beside them.
fn check(table: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (lines, expected) in table {
        let found = found(&format!("name: local/kit\n{lines}\n"));
        if found != *expected {
            wrong.push(format!("{lines}\nexpected\n{expected}\nfound\n{found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn tables_are_closed_and_names_have_a_namespace() {
    check(&[
        ("", ""),
        ("$schema: ./skill-config.schema.json", ""),
        ("description: ''", "warning empty-value /description 2:14"),
        ("schema_version: '1'", "error unknown-key  schema_version 2:1"),
        ("colour: red", "error unknown-key  colour 2:1"),
        ("tools: []\nincludes: []\ninline_tools: []\nmcp_servers: []\nagent_skill_folders: []", ""),
        ("tools:\n- name: local/grep\n  writes: false", ""),
        ("tools:\n- name: grep", "error invalid-value /tools/0/name 3:9"),
        ("tools:\n- name: a/b/c", "error invalid-value /tools/0/name 3:9"),
        ("tools:\n- {name: a/b, x: 1}", "error unknown-key /tools/0 x 3:15"),
        ("tools:\n- {name: a/b, writes: null}", "error wrong-type /tools/0/writes 3:23"),
        ("includes:\n- name: local/kit", "error include-circle /includes/0/name 3:9"),
        ("includes:\n- name: shared/git\n  description: For branches.", ""),
        (
            "includes:\n- name: shared/git\n- name: local/kit\n- {}",
            "error include-circle /includes/1/name 4:9\nerror missing-key /includes/2 name 5:3",
        ),
    ]);
    assert_eq!(found("description: x"), "error missing-key  name 1:1");
    assert_eq!(found("name: kit"), "error invalid-value /name 1:7");
    assert_eq!(found("includes: [{name: kit}]\nname: kit").matches("invalid-value").count(), 2);
}

const CODE: &str = "  source: custom\n  code: 'def run(input_data): return {}'\n";

#[test]
fn inline_tools_say_what_they_are() {
    let tool = |lines: &str| format!("inline_tools:\n- name: count\n{CODE}{lines}");
    check(&[
        (&tool(""), ""),
        (&tool("  input_schema: {type: object, inputSchema: 1}\n  side_effects: [network_call]"), ""),
        (&tool("  input_schema: true"), "error wrong-type /inline_tools/0/input_schema 6:17"),
        (&tool("  side_effects: ['']"), "warning empty-value /inline_tools/0/side_effects/0 6:18"),
        (&tool("  sideEffects: [x]"), "warning legacy-name /inline_tools/0/sideEffects 6:3"),
        (&tool("  inputSchema: {}"), "warning legacy-name /inline_tools/0/inputSchema 6:3"),
        (
            &tool("  inputSchema: {}\n  input_schema: {}"),
            "error conflicting-keys /inline_tools/0/input_schema 7:3",
        ),
        (&tool("  SideEffects: [x]"), "error unknown-key /inline_tools/0 SideEffects 6:3"),
        (&tool(&format!("- name: count\n{CODE}")), "error duplicate-entry /inline_tools/1/name 6:9"),
        (
            "inline_tools:\n- name: count",
            "error missing-key /inline_tools/0 source 3:3\nerror missing-key /inline_tools/0 code 3:3",
        ),
        (
            "inline_tools:\n- name: count\n  source: registry\n  code: 'def run(input_data): pass'",
            "error unknown-option /inline_tools/0/source 4:11",
        ),
    ]);
    let text = format!("name: local/kit\n{}", tool(""));
    let skill: SkillConfig = agentry_text::yaml::from_str(&text).unwrap();
    let tool = &skill.inline_tools.as_ref().unwrap()[0];
    assert!(!tool.writes() && tool.writes.is_none() && tool.side_effects().is_empty());
}

#[test]
fn faults_of_the_source_stand_at_their_line() {
    let tool = |code: &str| format!("inline_tools:\n- name: count\n  source: custom\n  code: {code}");
    let missing = |at: &str| format!("error missing-function /inline_tools/0/code {at}");
    let syntax = |at: &str| format!("error python-syntax /inline_tools/0/code {at}");
    check(&[
        (&tool("|\n    import json\n\n    def run(data):\n        pass"), &missing("8:9")),
        (&tool("|-\n\n      def run():\n        pass"), &missing("7:11")),
        (&tool("|2\n      def run():\n    pass"), &syntax("6:7")),
        (&tool("\"x = 1\\ndef run():\\n    pass\\n\""), &missing("5:21")),
        (&tool("'def run(): pass'"), &missing("5:14")),
        (&tool("|\n    \"\"\"What it does.\"\"\"\n    def run():\n        pass"), &missing("7:9")),
        (&tool("|\n    def run(input_data):\n        return 'it's'\n"), &syntax("7:21")),
        (&tool("|\n    def run(input_data):\n    return {}\n"), &syntax("6:24")),
        // Folded lines are no lines of the source.
        (&tool(">\n    x = 1;\n    y = run(2)\n"), &missing("6:5")),
        (&tool("''"), &missing("5:9")),
        (
            &tool("|\n    async def run(input_data):\n        pass"),
            "hint async-function /inline_tools/0/code 6:11",
        ),
        (&tool("|\n    from helpers import run\n"), "warning unseen-function /inline_tools/0/code 6:25"),
        (&tool("12"), "error wrong-type /inline_tools/0/code 5:9"),
    ]);
}

#[test]
fn servers_are_reached_as_their_transport_asks() {
    let server = |lines: &str| format!("mcp_servers:\n- name: m\n  transport: {lines}");
    check(&[
        (&server("stdio\n  command: npx\n  args: [-y, '']\n  env: {PORT: \"8080\"}"), ""),
        (&server("stdio"), "error missing-key /mcp_servers/0 command 3:3"),
        (
            &server("stdio\n  url: https://mcp.example"),
            "error missing-key /mcp_servers/0 command 3:3\nwarning pointless-key /mcp_servers/0/url 5:3",
        ),
        (&server("sse\n  url: https://mcp.example/sse\n  headers: {X-Team: ops}"), ""),
        (&server("sse"), "error missing-key /mcp_servers/0 url 3:3"),
        (&server("streamable-http"), "error missing-key /mcp_servers/0 url 3:3"),
        (
            &server("sse\n  url: https://mcp.example\n  command: npx\n  args: []\n  env: {}"),
            "warning pointless-key /mcp_servers/0/command 6:3\nwarning pointless-key /mcp_servers/0/args 7:3\n\
             warning pointless-key /mcp_servers/0/env 8:3",
        ),
        (&server("sse\n  url: mcp.example"), "error invalid-value /mcp_servers/0/url 5:8"),
        (&server("sse\n  url: https://a b.example/"), "error invalid-value /mcp_servers/0/url 5:8"),
        (&server("http\n  url: https://mcp.example"), "error unknown-option /mcp_servers/0/transport 4:14"),
        (&server("STDIO\n  command: npx"), "error unknown-option /mcp_servers/0/transport 4:14"),
        (
            &server("stdio\n  command: npx\n  env: {PORT: 8080}"),
            "error wrong-type /mcp_servers/0/env/PORT 6:15",
        ),
        (
            &server("stdio\n  command: npx\n  toolFilter: {include: [a]}"),
            "warning legacy-name /mcp_servers/0/toolFilter 6:3",
        ),
        (
            &server("stdio\n  command: npx\n  tool_filter: {excludes: [a]}"),
            "error unknown-key /mcp_servers/0/tool_filter excludes 6:17",
        ),
        // The keys of a table of the author's are the author's.
        (&server("stdio\n  command: npx\n  env: {inlineTools: x, toolFilter: z}"), ""),
        (
            &server("stdio\n  command: npx\n  env: {DEBUG: on}"),
            "warning yaml-1-1-value /mcp_servers/0/env/DEBUG 6:16",
        ),
        (
            &server("stdio\n  command: npx\n  env: {A=B: x}"),
            "warning unreadable-value /mcp_servers/0/env/A=B 6:9",
        ),
    ]);
}

#[test]
fn credentials_are_warned_of_and_never_shown() {
    let secret = "EXAMPLEvalue0123456789";
    for (lines, pointer) in [
        ("transport: stdio\n  command: npx\n  env: {API_KEY: SECRET}", "env/API_KEY"),
        ("transport: stdio\n  command: npx\n  env:\n    A: x\n    DB_PASSWORD: SECRET", "env/DB_PASSWORD"),
        ("transport: stdio\n  command: npx\n  args: ['--header', 'x-token: SECRET']", "args/1"),
        ("transport: stdio\n  command: npx\n  args: [--token, SECRET]", "args/1"),
        (
            "transport: sse\n  url: https://mcp.example\n  headers: {Authorization: Bearer SECRET}",
            "headers/Authorization",
        ),
        ("transport: sse\n  url: https://mcp.example?api_key=SECRET", "url"),
    ] {
        let text = format!("name: local/kit\nmcp_servers:\n- name: m\n  {lines}\n").replace("SECRET", secret);
        let document = agentry_text::yaml::parse(&text);
        let reading: Reading<SkillConfig> = agentry_text::read_document(&document, Mode::Strict);
        let [finding] = &reading.findings[..] else { panic!("{lines}: {:?}", reading.findings) };
        assert_eq!(
            (finding.rule.name, finding.pointer.as_str()),
            ("literal-secret", format!("/mcp_servers/0/{pointer}").as_str())
        );
        let at = text.find(secret).unwrap();
        assert!(
            reading.secrets.iter().any(|span| span.start <= at && at + secret.len() <= span.end),
            "{lines}"
        );
        assert!(!format!("{finding:?}").contains(secret), "{finding:?}");
        // What is given to a variable or header is never shown; elsewhere the looks decide.
        if pointer.starts_with("env") || pointer.starts_with("headers") {
            assert!(!format!("{:?}", reading.value).contains(secret), "{lines}");
        }
    }
    check(&[(
        "mcp_servers:\n- {name: m, transport: stdio, command: npx, env: {API_KEY: '${API_KEY}', LEVEL: info}}",
        "",
    )]);
}

#[test]
fn values_are_built_as_they_are_read() {
    let name = |text: &str| SkillName::new(text).unwrap();
    let own = SkillConfig::new(name("local/kit"));
    let error = own.clone().with_includes(vec![Inclusion::new(name("local/kit"))]).unwrap_err();
    assert_eq!(error.rule.name, "include-circle");
    let tool = |name: &str| {
        let code = PythonSource::new("def run(input_data): return {}").unwrap();
        InlineTool::new(InlineToolName::new(name).unwrap(), ToolSource::Custom, code)
    };
    assert!(Unique::new(vec![tool("a"), tool("a")]).is_err());
    let url = crate::values::HttpUrl::new("https://mcp.example/mcp").unwrap();
    let label = |text: &str| ServerLabel::new(text).unwrap();
    let skill = own
        .with_includes(vec![Inclusion::new(name("shared/git"))])
        .unwrap()
        .with_inline_tools(Unique::new(vec![tool("a"), tool("b")]).unwrap())
        .with_mcp_servers(vec![
            McpServer::stdio(label("a"), LaunchCommand::new("npx").unwrap()),
            McpServer::sse(label("b"), url.clone()),
            McpServer::streamable_http(label("c"), url),
        ]);
    let written = agentry_text::yaml::to_string(&skill).unwrap();
    assert_eq!(agentry_text::yaml::from_str::<SkillConfig>(&written).unwrap(), skill);
    assert_eq!((skill.name().namespace(), skill.name().local_name()), ("local", "kit"));
}
