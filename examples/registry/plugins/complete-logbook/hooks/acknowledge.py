"""The hooks that only take note of something: say so and go on."""

import json
import sys

for line in sys.stdin:
    print(json.loads(line)["type"], file=sys.stderr)
    print(json.dumps({"type": "ok"}), flush=True)
