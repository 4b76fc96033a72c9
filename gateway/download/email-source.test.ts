import { Readable, Writable } from "node:stream";
import { afterEach, expect, jest, test } from "@jest/globals";
import { Refusal } from "../../services/platform/errors.ts";
import { newId } from "../../services/platform/ids.ts";
import { emailSource } from "./email-source.ts";

type Source = Parameters<typeof emailSource>;

afterEach(() => {
  jest.restoreAllMocks();
});

test("a download of hours breaks off once what it was asked with is revoked, and not for having expired", async () => {
  const [accountId, sessionId] = [newId(), newId()];
  // Every look at the clock is an hour after the last.
  let now = 0;
  jest.spyOn(performance, "now").mockImplementation(() => (now += 3_600_000));
  const lookedUp: object[] = [];
  const requireInForce = async (credential: object) => {
    lookedUp.push(credential);
    if (lookedUp.length === 2) throw new Refusal("BearerTokenInvalid", { public: "It is revoked." });
    return {};
  };
  const sent: string[] = [];
  const response = Object.assign(
    new Writable({
      write: (piece, _encoding, done) => {
        sent.push(String(piece));
        done();
      },
    }),
    { writeHead: () => undefined },
  );
  const authenticator = { account: async () => ({ accountId, sessionId }) };
  const serve = emailSource(authenticator as unknown as Source[0], { requireInForce } as unknown as Source[1], {
    rawSource: async () => Readable.from(["first", "second", "third"]),
  });
  const request = { headers: {}, params: { id: newId() } };
  await expect(serve(request as never, response as never)).rejects.toMatchObject({ kind: "BearerTokenInvalid" });
  expect(sent).toEqual(["first"]);
  expect(response.destroyed).toBe(true);
  expect(lookedUp[0]).toEqual({ accountId, sessionId, scope: "mail:read", mayHaveExpired: true });
});
