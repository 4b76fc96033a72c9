import { expect, test } from "@jest/globals";
import { signInBody, signInQuestion } from "../support/accounts.ts";
import { ask } from "../support/ask.ts";
import { errorDocument } from "../support/documents.ts";
import { naming, titledMembers, valuesOf } from "../support/titles.ts";

const wrongTexts = [null, 5, true, [], {}, ["x"], "a\0b", "\ud800"];

test.each(
  titledMembers<unknown>([
    ...valuesOf("body", [null, [], "x", 5, true]),
    ...valuesOf("data", [{}, { data: null }, { data: [] }, { data: "x" }]),
    ["data.type", { data: { attributes: { username: "x", password: "x" } } }],
    ["data.type", { data: { type: "auth", attributes: { username: "x", password: "x" } } }],
    ["data.attributes", { data: { type: "auth-request", username: "x", password: "x" } }],
    ["data.attributes.username", { data: { type: "auth-request", attributes: { password: "x" } } }],
    ["data.attributes.password", { data: { type: "auth-request", attributes: { username: "x" } } }],
    ...wrongTexts.map((text): [string, unknown] => ["data.attributes.username", signInBody(text, "x")]),
    ...wrongTexts.map((text): [string, unknown] => ["data.attributes.password", signInBody("x", text)]),
  ]),
)("%s", async (_title, member, given) => {
  const { status, body } = await ask({ ...signInQuestion, body: JSON.stringify(given) });
  expect(status).toBe(422);
  expect(body).toEqual(errorDocument("ValidationFailed", "rest", naming(member)));
});

test("a refusal never repeats what was sent", async () => {
  const { text } = await ask({ ...signInQuestion, body: signInBody({ secret: "hunter2" }, ["hunter2"]) });
  expect(text).not.toContain("hunter2");
});
