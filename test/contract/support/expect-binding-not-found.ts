import { afterAll, beforeAll, expect } from "@jest/globals";
import { newAccount, type TestAccount } from "./accounts.ts";
import type { Json } from "./ask.ts";
import { bindingsOf, bindingsPath, madeBinding } from "./bindings.ts";
import { expectNotFound } from "./expect-not-found.ts";

/** Declares for a proxy binding what `expectNotFound` does, and that somebody else's stays as it was. */
export function expectBindingNotFound(method: string, body?: unknown): void {
  let anna: TestAccount;
  let bert: TestAccount;
  let foreignId: string;
  let before: Json;
  beforeAll(async () => {
    [anna, bert] = await Promise.all([newAccount("anna"), newAccount("bert")]);
    foreignId = (await madeBinding(bert)).id;
    before = await bindingsOf(bert);
  });
  afterAll(async () => {
    expect(await bindingsOf(bert)).toEqual(before);
  });

  expectNotFound({
    who: () => anna,
    method,
    path: (id) => `${bindingsPath}/${id}`,
    foreignId: () => foreignId,
    file: "bindings",
    body,
  });
}
