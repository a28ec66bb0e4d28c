"""Python's jsonschema accepts every schema, and every example under the schema of its kind.

usage: validate.py SCHEMAS FOLDER...
"""
import json
import pathlib
import subprocess
import sys
import tomllib

import yaml
from jsonschema import validators


def front_matter(text):
    """The keys between the two lines of hyphens that a Markdown file begins with."""
    lines = text.splitlines(keepends=True)
    end = next(number for number, line in enumerate(lines[1:], 1) if line.rstrip() == "---")
    return yaml.safe_load("".join(lines[1:end]))


READERS = {
    ".json": json.loads,
    ".md": front_matter,
    ".toml": tomllib.loads,
    ".yaml": yaml.safe_load,
    ".yml": yaml.safe_load,
}

schemas, *folders = map(pathlib.Path, sys.argv[1:])
loaded = {}
for path in sorted(schemas.rglob("*.schema.json")):
    schema = json.loads(path.read_text(encoding="utf-8"))
    validators.validator_for(schema).check_schema(schema)
    loaded[path.relative_to(schemas).as_posix()] = schema
assert loaded, "no schema was found"

answer = subprocess.run(
    ["target/debug/agentry", "check", "--format", "jsonl", *map(str, folders)], capture_output=True, text=True, check=True
)
validated = 0
for line in answer.stdout.splitlines():
    file = json.loads(line)
    text = pathlib.Path(file["path"]).read_text(encoding="utf-8")
    # A TOML date is no JSON value: it is compared as text, as everywhere in the project.
    read = READERS[pathlib.Path(file["path"]).suffix]
    document = json.loads(json.dumps(read(text), default=str))
    for place in (f"{file['kind']}.schema.json", f"draft-07/{file['kind']}.schema.json"):
        schema = loaded[place]
        errors = list(validators.validator_for(schema)(schema).iter_errors(document))
        assert not errors, f"{file['path']} under {place}: {errors[0].json_path}: {errors[0].message}"
        validated += 1
assert validated, "no example was found"
print(f"jsonschema: {len(loaded)} schemas accepted, {validated} validations of examples passed")
