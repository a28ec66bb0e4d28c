"""Count the turns this process has seen and acknowledge each one."""

import json
import sys

turns = 0
for line in sys.stdin:
    json.loads(line)
    turns += 1
    print(f"turn {turns}", file=sys.stderr)
    print(json.dumps({"type": "ok"}), flush=True)
