import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { graphInterface } from "./clients/graph-operations.ts";
import { pythonModule } from "./clients/python.ts";
import { restInterface } from "./clients/rest-operations.ts";
import { graphModule, restModule } from "./clients/typescript.ts";
import { composeSupergraph } from "./graph/compose.ts";

// npm run clients: what the clients are made from, /openapi.json and the graph, as types of their languages.
// --check: writes nothing, and fails if what is committed is another.
const root = join(import.meta.dirname, "..");
const described = { ...restInterface(), ...graphInterface(composeSupergraph().api) };
const files = {
  "clients/typescript/src/gen/rest.ts": restModule(described),
  "clients/typescript/src/gen/graph.ts": graphModule(described),
  "clients/python/src/postern/_generated.py": pythonModule(described),
};
for (const [path, content] of Object.entries(files)) {
  const target = join(root, path);
  if (!process.argv.includes("--check")) {
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content);
  } else if (readFileSync(target, "utf8") !== content) {
    process.stdout.write(`${path} is not what /openapi.json and the graph make: npm run clients\n`);
    process.exitCode = 1;
  }
}
