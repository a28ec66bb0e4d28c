"""The hook for pre-commit and the steps of the example workflow, run as they are written.

usage: hook.py SCRATCH_FOLDER
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys

import yaml

project = pathlib.Path.cwd()
scratch = pathlib.Path(sys.argv[1]) / "hook"
shutil.rmtree(scratch, ignore_errors=True)
environment = os.environ | {
    "PATH": f"{project / 'target/debug'}{os.pathsep}{os.environ['PATH']}",
    "PRE_COMMIT_HOME": str(scratch / "home"),
    **{f"GIT_{who}_{what}": "ci@example.com" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
}


def run(command, folder, **options):
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, **options)


def git(folder, *arguments):
    result = run(["git", *arguments], folder)
    assert result.returncode == 0, result.stderr


def repository(name, files):
    folder = scratch / name
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--no-verify", "-m", "Begin")
    return folder


hooks = (project / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
hook = repository("hooks", {".pre-commit-hooks.yaml": hooks})
provider = next(iter(sorted((project / "examples/registry/providers").glob("minimal-*.toml"))))
text = provider.read_text(encoding="utf-8")
place = f"providers/{provider.name}"
clean = repository("clean", {place: text, "Cargo.toml": "[package]\n"})
faulty = repository("faulty", {place: f"{text}\ncolour = 1\n"})

head = run(["git", "rev-parse", "HEAD"], hook).stdout.strip()
config = yaml.safe_load((project / "examples/ci/pre-commit.yaml").read_text(encoding="utf-8"))
config["repos"][0] |= {"repo": str(hook), "rev": head}
for folder, status in ((clean, 0), (faulty, 1)):
    (folder / ".pre-commit-config.yaml").write_text(json.dumps(config), encoding="utf-8")
    git(folder, "add", "--all")
    result = run([sys.executable, "-m", "pre_commit", "run", "--all-files"], folder)
    assert result.returncode == status, (folder, result.stdout, result.stderr)
    assert ("unknown-key" in result.stdout) == bool(status), result.stdout
# A change of something else does not run it.
result = run([sys.executable, "-m", "pre_commit", "run", "--files", "Cargo.toml"], clean)
assert "Skipped" in result.stdout, result.stdout

workflow = yaml.safe_load((project / "examples/ci/github.yml").read_text(encoding="utf-8"))
commands = [step["run"] for step in workflow["jobs"]["check"]["steps"] if "agentry check" in step.get("run", "")]
for folder, expected in ((clean, [0, 0]), (faulty, [1, 0])):
    found = [run(["bash", "-e", "-o", "pipefail", "-c", command], folder).returncode for command in commands]
    assert found == expected, (folder, commands, found)
results = json.loads((faulty / "agentry.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]
assert [result["ruleId"] for result in results] == ["unknown-key"], results
print(f"pre-commit runs the hook, and {len(commands)} steps of the example workflow do what they say")
