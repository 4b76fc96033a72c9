import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { composeSupergraph } from "./graph/compose.ts";
import { generateOperations } from "./web/operations.ts";

// npm run web:operations: types and hashes of what the web application asks, from web/operations and the services' parts.
// --check: writes nothing, and fails if what is committed is another.
const path = join(import.meta.dirname, "../web/src/graph/gen/operations.ts");
const operations = await generateOperations(composeSupergraph().api);
if (!process.argv.includes("--check")) writeFileSync(path, operations);
else if (readFileSync(path, "utf8") !== operations) {
  process.stdout.write("web/src/graph/gen/operations.ts is not what web/operations make: npm run web:operations\n");
  process.exitCode = 1;
}
