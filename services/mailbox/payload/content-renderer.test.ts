import { expect, test } from "@jest/globals";
import { contentLimits } from "../limits.ts";
import { BudgetExceeded } from "../workers/budget-exceeded.ts";
import type { Workers } from "../workers/worker-pool.ts";
import { ContentRenderer, type StoredBodies } from "./content-renderer.ts";

/** Bodies as they are stored, and whether they have been marked. */
function bodiesOf(text: string | null, html: string | null): StoredBodies & { marks: number } {
  const bytes = (body: string | null) => Buffer.from(body ?? "");
  return {
    sizeBytes: bytes(text).length + bytes(html).length,
    isReduced: false,
    marks: 0,
    asText: async (characters) => ({
      text: text?.slice(0, characters) ?? null,
      html: html?.slice(0, characters) ?? null,
    }),
    asBytes: async () => ({ text: bytes(text), html: bytes(html) }),
    async markReduced() {
      this.marks += 1;
    },
  };
}

/** Workers that count their tasks, each of which is too much. */
function countingWorkers(): Workers & { taskCount: number } {
  return {
    taskCount: 0,
    async run() {
      this.taskCount += 1;
      throw new BudgetExceeded("cpu");
    },
  };
}

test.each([
  ["a short text", "hello", null, 0],
  ["a text of 250 KB", "word ".repeat(50_000), null, 0],
  ["a page of 250 KB with a tag for each ten words", null, `<p>${"words ".repeat(10)}</p>`.repeat(3_500), 0],
  ["250 KB of tags", null, "<li>".repeat(62_500), 1],
  ["250 KB of less-than signs", null, "<".repeat(250_000), 1],
  ["a text of 300 KB", "word ".repeat(60_000), null, 1],
])("%s: this process renders only what costs little", async (_name, text, html, taskCount) => {
  const workers = countingWorkers();
  const stored = bodiesOf(text, html);
  const rendered = await new ContentRenderer(workers, contentLimits(10)).bodies(stored);
  expect(workers.taskCount).toBe(taskCount);
  expect([rendered.isTruncated, stored.marks]).toEqual([taskCount > 0, taskCount]);
});
