import { beforeAll, expect, test } from "@jest/globals";
import { operator } from "../support/installation.ts";
import { newcomer, type Person } from "../support/people.ts";
import { answersHead, answersHoweverAsked } from "../support/sloppy.ts";

const path = "/api/v1/users/me";
let anna: Person;
beforeAll(async () => {
  anna = await newcomer("anna");
});

const userDocument = (webhook_secret: unknown = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32,}=*$/)) => ({
  data: { type: "users", id: anna.accountId, attributes: { username: anna.username, webhook_secret } },
});

answersHoweverAsked(
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
