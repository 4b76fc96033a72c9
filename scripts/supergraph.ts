import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { composeSupergraph } from "./graph/compose.ts";

// npm run supergraph: composes gateway/supergraph.graphql from the services' parts.
// --check: writes nothing, and fails if the committed one is another.
const path = join(import.meta.dirname, "../gateway/supergraph.graphql");
const { supergraph } = composeSupergraph();
if (!process.argv.includes("--check")) writeFileSync(path, supergraph);
else if (readFileSync(path, "utf8") !== supergraph) {
  process.stdout.write("gateway/supergraph.graphql is not what the services' parts compose to: npm run supergraph\n");
  process.exitCode = 1;
}
