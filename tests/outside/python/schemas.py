"""Judges schemas by `jsonschema`: each has to be one, take what fits and refuse the rest."""

import json
import sys

from jsonschema import Draft202012Validator

with open(sys.argv[1], encoding="utf-8") as file:
    cases = json.load(file)

values = 0
for case in cases:
    schema, where = case["schema"], f"{case['name']} {case['side']}"
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
    for value in case["fits"]:
        for error in validator.iter_errors(value):
            sys.exit(f"{where}: {value!r} is refused: {error.message}")
    for value in case["refused"]:
        if validator.is_valid(value):
            sys.exit(f"{where}: {value!r} is taken")
    values += len(case["fits"]) + len(case["refused"])
print(f"judged {len(cases)} schemas and {values} values")
