import { expect, test } from "@jest/globals";
import type { TestAccount } from "./accounts.ts";
import type { Answer } from "./ask.ts";
import { errorDocument } from "./documents.ts";
import { titled } from "./titles.ts";

/** Ids that nobody has: of our form, of none, and of the kinds that break out of what they are put into. */
const strange = [
  "01890000-0000-7000-8000-000000000000",
  "00000000-0000-0000-0000-000000000000",
  "1",
  "-1",
  "null",
  "0".repeat(32),
  "x".repeat(4_000),
  "%00",
  "a%00b",
  "%27%20or%201=1%20--",
  "%22%3E%3Cscript%3E",
  "%0d%0aSet-Cookie:%20a=b",
  "%E2%80%AE",
  "..%2f..%2fapi-token",
  "%2e%2e%2fapi-token",
  "__proto__",
  "constructor",
];

/** All of an answer but for its error's id and what counts or tells the time. */
function looks({ status, headers, text }: Answer): unknown {
  const { date: _date, ...rest } = headers;
  return { status, headers: rest, text: text.replace(/"id":"[^"]*"/, '"id":""') };
}

/** Declares that ids of nobody's and somebody else's are answered by 404, and cannot be told apart. */
export function expectNotFound(options: {
  who: () => TestAccount;
  method: string;
  path: (id: string) => string;
  foreignId: () => string;
  file: string;
  body?: unknown;
}): void {
  const { who, method, path, foreignId, file, body } = options;

  test("somebody else's looks like one that is not there", async () => {
    const foreign = await who().ask(method, path(foreignId()), body);
    expect(foreign.status).toBe(404);
    expect(foreign.body).toEqual(errorDocument("NotFound", file));
    const missing = await who().ask(method, path("01890000-0000-7000-8000-000000000000"), body);
    expect(looks(foreign)).toEqual(looks(missing));
  });

  test.each(titled(strange))("and so does %s", async (_title, id) => {
    const missing = await who().ask(method, path("01890000-0000-7000-8000-000000000000"), body);
    expect(looks(await who().ask(method, path(id), body))).toEqual(looks(missing));
  });
}
