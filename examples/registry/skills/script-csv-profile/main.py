"""Count the rows of a CSV text and name the columns that hold nothing."""

import csv
import io
import json
import sys

parameters = json.load(sys.stdin)
reader = csv.DictReader(io.StringIO(parameters["text"]), delimiter=parameters.get("delimiter", ","))
rows = list(reader)
empty = [name for name in reader.fieldnames or [] if not any(row[name] for row in rows)]
json.dump({"rows": len(rows), "empty_columns": empty}, sys.stdout)
