import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { steps as english } from "../../../web/src/texts/english/delivery.ts";
import { steps as german } from "../../../web/src/texts/german/delivery.ts";
import { timelineKinds } from "./timeline-kinds.ts";

const subgraph = readFileSync(new URL("../graph/subgraph.graphql", import.meta.url), "utf8");

test.each(timelineKinds)("%s is named in the graph, and has words of its own in the web application", (kind) => {
  expect(subgraph).toMatch(new RegExp(`"(?:accepted, [^"]*)?\\b${kind}[,.]`));
  // What the application does not know, it shows by its name.
  for (const steps of [english, german]) expect(steps[kind]).toMatch(/\S/);
});
