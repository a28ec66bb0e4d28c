"""Hook `ingest`: answer a user's message with the notes that share a word with it."""

import json
import os
import sys


def notes():
    """Read the notes that `after_turn.py` has kept."""
    path = os.environ.get("LIBREFANG_STATE_FILE")
    if not path or not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return json.load(file).get("notes", [])


for line in sys.stdin:
    words = set(json.loads(line)["message"].lower().split())
    found = [{"content": note} for note in notes() if words & set(note.lower().split())]
    print(json.dumps({"type": "ingest_result", "memories": found}), flush=True)
