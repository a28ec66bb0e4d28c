"""Hook `after_turn`: keep the last message as a note when it asks for that."""

import json
import os
import sys


def keep(note):
    """Add one note to the file that the hooks of this plugin share."""
    path = os.environ.get("LIBREFANG_STATE_FILE")
    if not path:
        return
    state = {"notes": []}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            state = json.load(file)
    state.setdefault("notes", []).append(note)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(state, file)


for line in sys.stdin:
    messages = json.loads(line)["messages"]
    last = str(messages[-1].get("content", "")) if messages else ""
    if "log this" in last.lower():
        keep(last)
    print(json.dumps({"type": "ok"}), flush=True)
