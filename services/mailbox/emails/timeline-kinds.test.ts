import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { wordsOf } from "../../../web/src/email/timeline-kinds.ts";
import { timelineKinds } from "./timeline-kinds.ts";

const subgraph = readFileSync(new URL("../graph/subgraph.graphql", import.meta.url), "utf8");

test.each(timelineKinds)("%s is named in the graph, and has words of its own in the web application", (kind) => {
  expect(subgraph).toMatch(new RegExp(`"(?:accepted, [^"]*)?\\b${kind}[,.]`));
  // What the application does not know, it shows by its name in a plain tone.
  expect(wordsOf(kind)).not.toEqual(wordsOf("anything else"));
  expect(wordsOf(kind).said).not.toBe(kind);
});
