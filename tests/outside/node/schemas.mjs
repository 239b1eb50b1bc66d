// Judges schemas by ajv in its strict mode: each has to compile, take what fits and refuse the rest.

import { readFileSync } from "node:fs";
import Ajv from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const cases = JSON.parse(readFileSync(process.argv[2], "utf8"));
let values = 0;
for (const { name, side, schema, fits, refused } of cases) {
  const ajv = new Ajv.default({ strict: true, allErrors: true });
  addFormats.default(ajv);
  ajv.addKeyword({ keyword: "x-mcp-header", schemaType: "string" });
  let validate;
  try {
    validate = ajv.compile(schema);
  } catch (error) {
    throw new Error(`${name} ${side}: ${error.message} in ${JSON.stringify(schema)}`);
  }
  for (const value of fits) {
    if (!validate(value)) {
      throw new Error(`${name}: ${JSON.stringify(value)} is refused: ${ajv.errorsText(validate.errors)}`);
    }
  }
  for (const value of refused) {
    if (validate(value)) throw new Error(`${name}: ${JSON.stringify(value)} is taken`);
  }
  values += fits.length + refused.length;
}
console.log(`judged ${cases.length} schemas and ${values} values`);
