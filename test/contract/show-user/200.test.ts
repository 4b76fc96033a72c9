import { beforeAll, expect, test } from "@jest/globals";
import { bearerOf, newAccount, type TestAccount, withSecondFactor } from "../support/accounts.ts";
import { ask } from "../support/ask.ts";
import { freshName } from "../support/bindings.ts";
import { operator } from "../support/installation.ts";
import { acceptsRequestVariants, answersHead } from "../support/request-variants.ts";

const path = "/api/v1/users/me";
let anna: TestAccount;
beforeAll(async () => {
  anna = await newAccount("anna");
});

const userDocument = (webhook_secret: unknown = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32,}=*$/)) => ({
  meta: { plan: { isPaid: true } },
  data: {
    type: "users",
    id: anna.accountId,
    attributes: { username: anna.username, email: anna.username, "2fa_enabled": false, webhook_secret },
  },
});

acceptsRequestVariants(
  () => anna,
  () => ({ method: "GET", path }),
  ({ status, body }) => {
    expect(status).toBe(200);
    expect(body).toEqual(userDocument());
  },
);

answersHead(
  () => anna,
  () => path,
);

test("the secret that signs callbacks is the newest one", async () => {
  const { secret } = await operator().rotateWebhookSecret({ accountId: anna.accountId });
  expect((await anna.ask("GET", path)).body).toEqual(userDocument(secret));
});

test("an account with a second factor", async () => {
  const { token } = await withSecondFactor();
  const { body } = await ask({ method: "GET", path, headers: { token } });
  expect(body["data"]?.["attributes"]?.["2fa_enabled"]).toBe(true);
});

test("an account that the operator has given a name which is no address", async () => {
  const username = `name-${freshName()}`;
  const { id } = await operator().addAccount({ username, password: "known to the operator" });
  const authorization = `Bearer ${await bearerOf({ username, password: "known to the operator" })}`;
  const { body } = await ask({ method: "GET", path, headers: { authorization } });
  expect(body["data"]).toMatchObject({ id, attributes: { username, email: null } });
});
