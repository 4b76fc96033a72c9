import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildSchema, findBreakingChanges } from "graphql";
import { composeSupergraph } from "./graph/compose.ts";

// Compares the graph with the one that was last released (gateway/schema.baseline.graphql): what breaks a client has to be
// named in CHANGELOG.md, in the words that this prints.
// --accept: a release was made; what there is now becomes the baseline.
const root = join(import.meta.dirname, "..");
const baselinePath = join(root, "gateway/schema.baseline.graphql");
const { api } = composeSupergraph();
if (process.argv.includes("--accept") || !existsSync(baselinePath)) writeFileSync(baselinePath, api);
else {
  const changes = findBreakingChanges(buildSchema(readFileSync(baselinePath, "utf8")), buildSchema(api));
  const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
  const unnamed = changes.map(({ description }) => description).filter((sentence) => !changelog.includes(sentence));
  for (const sentence of unnamed)
    process.stdout.write(`CHANGELOG.md does not name a breaking change of the graph: ${sentence}\n`);
  if (unnamed.length > 0) process.exitCode = 1;
}
