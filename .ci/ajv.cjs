// Compiles every schema with ajv in strict mode, formats asserted.
const fs = require("fs");
const path = require("path");
const addFormats = require("ajv-formats").default;
const drafts = { "": require("ajv/dist/2020").default, "draft-07": require("ajv").default };

let compiled = 0;
for (const [folder, Ajv] of Object.entries(drafts)) {
  const place = path.join(process.argv[2], folder);
  for (const name of fs.readdirSync(place).filter((name) => name.endsWith(".schema.json"))) {
    const ajv = new Ajv({ strict: true, allErrors: true });
    addFormats(ajv);
    ajv.compile(JSON.parse(fs.readFileSync(path.join(place, name), "utf8")));
    compiled += 1;
  }
}
if (compiled === 0) throw new Error("no schema was found");
console.log(`ajv: ${compiled} schemas compile in strict mode`);
