import { expect, test } from "@jest/globals";
import { newAccount } from "../support/accounts.ts";
import { bindingsOf, bindingsPath, createBinding, freshAddress, madeBinding } from "../support/bindings.ts";
import { refusesForeignTokens } from "../support/credentials.ts";
import { errorDocument } from "../support/documents.ts";

refusesForeignTokens({ method: "POST", path: bindingsPath });

test("no more than 100 of one account's; what is there already is still given, and what was removed makes room", async () => {
  const anna = await newAccount("anna");
  const proxy_address = freshAddress();
  const { id } = await madeBinding(anna, { proxy_address });
  // Nine at a time: those of one account wait for each other, and a slow machine answers 503 to the last of 99.
  for (let made = 1; made < 100; made += 9) await Promise.all(Array.from({ length: 9 }, () => madeBinding(anna)));
  const before = await bindingsOf(anna);
  expect(before["meta"]).toEqual({
    usedProxyBindings: 100,
    availableProxyBindings: 100,
    isVerificationEmailSend: false,
  });
  const { status, body } = await createBinding(anna, {});
  expect(status).toBe(403);
  expect(body).toEqual(errorDocument("QuotaExceeded", "bindings"));
  expect(await bindingsOf(anna)).toEqual(before);
  expect((await createBinding(anna, { proxy_address })).status).toBe(200);
  await anna.ask("DELETE", `${bindingsPath}/${id}`);
  expect((await createBinding(anna, {})).status).toBe(201);
});
