// Compiles every schema with ajv in strict mode, formats asserted. Which draft it is in is what it says itself.
const fs = require("fs");
const path = require("path");
const addFormats = require("ajv-formats").default;
const drafts = {
  "https://json-schema.org/draft/2020-12/schema": require("ajv/dist/2020").default,
  "http://json-schema.org/draft-07/schema#": require("ajv").default,
};

let compiled = 0;
for (const name of fs.readdirSync(process.argv[2], { recursive: true }).sort()) {
  if (!name.endsWith(".schema.json")) continue;
  const schema = JSON.parse(fs.readFileSync(path.join(process.argv[2], name), "utf8"));
  const ajv = new drafts[schema.$schema]({ strict: true, allErrors: true });
  addFormats(ajv);
  ajv.compile(schema);
  compiled += 1;
}
if (compiled === 0) throw new Error("no schema was found");
console.log(`ajv: ${compiled} schemas compile in strict mode`);
