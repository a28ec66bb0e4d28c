#!/usr/bin/env python3
"""Fills the corpus of every fuzz target with the examples of the project, each as the target expects it."""

import hashlib
import json
import pathlib

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
FORMATS = {".toml": "toml", ".yaml": "yaml", ".json": "json", ".md": "markdown"}
# The order of the table of kinds.
KINDS = [line.split('"')[1] for line in (ROOT / "crates/agentry/src/kind.rs").read_text().splitlines()
         if ' = "' in line and line.endswith("{")]
FOLDERS = {"agents": "agent", "channels": "channel", "hands": "hand", "mcp": "integration", "plugins": "plugin",
           "providers": "provider", "skill-configs": "skill-config", "skills": "skill", "tools": "tool",
           "workflows": "workflow", "packages": "package"}


def keep(target: str, data: bytes) -> None:
    folder = HERE / "corpus" / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)


def main() -> None:
    for path in sorted((ROOT / "examples").rglob("*")):
        format = FORMATS.get(path.suffix)
        if not path.is_file() or format is None:
            continue
        text = path.read_bytes()
        kinds = [FOLDERS[part] for part in path.parts if part in FOLDERS]
        kind = "skill-md" if path.name == "SKILL.md" else {"aliases": "alias", "registry-schema": path.stem}.get(
            path.stem, kinds[0] if kinds else None)
        choice = KINDS.index(kind) if kind in KINDS else len(KINDS)
        keep(f"check_{format}", bytes([choice]) + text)
        keep("fixes", bytes([list(FORMATS.values()).index(format), choice]) + text)
        keep("stdin_jsonl", json.dumps({"id": "1", "kind": kind, "format": format, "text": text.decode()}).encode())
    schemas = [json.loads(path.read_text()) for path in sorted((ROOT / "schemas").glob("*.schema.json"))]
    small = sorted((json.dumps(part) for schema in schemas for part in schema.get("$defs", {}).values()), key=len)
    for one, other in zip(small[::7], small[3::7]):
        if len(one) < 1500:
            keep("differ", f"{one}\n{other}".encode())


if __name__ == "__main__":
    main()
