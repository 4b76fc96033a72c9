import { expect, test } from "@jest/globals";
import type { TestAccount } from "./accounts.ts";
import { type Answer, ask, type Question } from "./ask.ts";

const json = { "content-type": "application/json" };

/** Ways in which real clients ask for what needs no body. */
const requestVariants: readonly [string, (account: TestAccount) => Pick<Question, "headers" | "body">][] = [
  ["the Token header and nothing else", ({ token }) => ({ headers: { Token: token } })],
  ["a header name in capitals", ({ token }) => ({ headers: { TOKEN: token } })],
  ["a header name in small letters", ({ token }) => ({ headers: { token } })],
  ["spaces around the token", ({ token }) => ({ headers: { Token: `  ${token}  ` } })],
  ["Bearer instead of Token", ({ bearer }) => ({ headers: { Authorization: `Bearer ${bearer}` } })],
  ["bearer in small letters", ({ bearer }) => ({ headers: { AUTHORIZATION: `bearer  ${bearer}` } })],
  ["an empty Token beside Bearer", ({ bearer }) => ({ headers: { Token: "", Authorization: `Bearer ${bearer}` } })],
  ["Basic credentials for a proxy beside Token", ({ token }) => ({ headers: { token, Authorization: "Basic b" } })],
  ["a bearer token that has ended beside Token", ({ token }) => ({ headers: { token, Authorization: "Bearer x" } })],
  ["the body [] and its content type", ({ token }) => ({ headers: { token, ...json }, body: "[]" })],
  ["the body [] without a content type", ({ token }) => ({ headers: { token }, body: "[]" })],
  ["a content type without a body", ({ token }) => ({ headers: { token, ...json } })],
  ["a body that is not JSON", ({ token }) => ({ headers: { token, ...json }, body: '{"a' })],
  ["a chunked body", ({ token }) => ({ headers: { token, "transfer-encoding": "chunked" }, body: "[]" })],
  ["an Accept that cannot be met", ({ token }) => ({ headers: { token, accept: "text/html, image/*;q=0.1" } })],
  ["a form as content type", ({ token }) => ({ headers: { token, "content-type": "multipart/form-data" } })],
];

/** Declares a test for each variant of asking; `check` must find every answer as it should be. */
export function acceptsRequestVariants(
  who: () => TestAccount,
  question: () => Pick<Question, "method" | "path">,
  check: (answer: Answer) => void,
): void {
  test.each(requestVariants)("asked with %s", async (_name, variant) => {
    check(await ask({ ...question(), ...variant(who()) }));
  });
}

/** Declares that HEAD answers as GET does, without the document. */
export function answersHead(who: () => TestAccount, path: () => string): void {
  test("HEAD answers as GET does, without the document", async () => {
    const shown = await who().ask("GET", path());
    const head = await who().ask("HEAD", path());
    expect(head.status).toBe(shown.status);
    expect(head.text).toBe("");
    expect(head.headers["content-type"]).toBe(shown.headers["content-type"]);
    expect(head.headers["content-length"]).toBe(shown.headers["content-length"]);
  });
}
