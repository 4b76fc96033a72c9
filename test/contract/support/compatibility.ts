import { expect } from "@jest/globals";
import type { Answer } from "./ask.ts";
import { errorDocument } from "./documents.ts";

/** The contract's error document, with the members that programs of other services read. */
export function expectCompatibilityError(
  answer: Answer,
  status: number,
  exception: string,
  message: unknown = expect.any(String),
) {
  expect([answer.status, answer.text]).toEqual([status, expect.any(String)]);
  const { error, message: shown, ...document } = answer.body as Record<string, unknown>;
  expect(document).toEqual(errorDocument(exception, expect.any(String), message));
  expect([error, shown]).toEqual([answer.body["data"]?.["attributes"]?.["message"], error]);
}

export const generated = expect.stringMatching(/^[a-z-]{11,}@postern\.localhost$/);
