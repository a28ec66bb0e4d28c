"""Readers of other people take the reports, and count in them what the JSON output says.

usage: reports.py SCHEMAS SCRATCH_FOLDER
"""
import json
import pathlib
import subprocess
import sys

import junitparser
from jsonschema import validators
from sarif import loader

schemas, scratch = map(pathlib.Path, sys.argv[1:])
program = pathlib.Path("target/debug/agentry").resolve()
registry = scratch / "faulty registry"
FILES = {
    "providers/50% [ü].toml": '[provider]\nid = "acme"\n"<&]]>\\u0001" = "😀"\n',
    "mcp/issue_board.toml": 'id = "issue_board"\nname = "B"\n[transport]\ntype = "stdio"\ncommand = "npx"\n'
    'setup_instructions = "Swallowed."\n',
    "agents/empty/agent.toml": "",
}
for name, text in FILES.items():
    (registry / name).parent.mkdir(parents=True, exist_ok=True)
    (registry / name).write_text(text, encoding="utf-8")


def check(form):
    run = subprocess.run([program, "check", "--format", form], cwd=registry, capture_output=True)
    assert run.returncode == 1, (form, run)
    file = scratch / f"report.{form}"
    file.write_bytes(run.stdout)
    return file


report = json.loads(check("json").read_text(encoding="utf-8"))
schema = json.loads((schemas / "report/check.schema.json").read_text(encoding="utf-8"))
validators.validator_for(schema)(schema).validate(report)
counts = [report["summary"][key] for key in ("errors", "warnings", "hints")]
assert all(counts), f"the registry has findings of every severity: {counts}"

sarif = loader.load_sarif_file(check("sarif").rename(scratch / "report.sarif.json")).get_report()
read = [sarif.get_issue_count_for_severity(level) for level in ("error", "warning", "note")]
assert read == counts, f"sarif-tools: {read}, and there are {counts}"

cases = [case for suite in junitparser.JUnitXml.fromfile(str(check("junit"))) for case in suite]
failures = sum(isinstance(result, junitparser.Failure) for case in cases for result in case.result)
assert (len(cases), failures) == (len(FILES), counts[0]), f"junitparser: {len(cases)} cases, {failures} failures"
print(f"sarif-tools and junitparser: {sum(counts)} findings in {len(cases)} files")
