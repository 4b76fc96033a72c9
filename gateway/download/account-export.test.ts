import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "@jest/globals";
import express from "express";
import { Outage, Refusal } from "../../services/platform/errors.ts";
import { newId } from "../../services/platform/ids.ts";
import { accountExport } from "./account-export.ts";

type Export = Parameters<typeof accountExport>;

const [accountId, importId] = [newId(), newId()];
const nothing = async () => [];

const job = { id: importId, source: "addy", state: "done", fault: "", total: 1_001, done: 1_001 };
const rows = Array.from({ length: 1_001 }, (_, position) => ({
  position,
  old: `a${position}@example.org`,
  detail: "",
}));

/** Services with an import, and nothing else. */
function services() {
  return {
    auth: {
      account: async () => ({ id: accountId, username: "owner@example.org" }),
      requireInForce: async (_credential: object) => ({}),
      ...{ sessions: nothing, passkeys: nothing, apiKeys: nothing, settings: nothing },
    },
    bindings: {
      list: async () => ({ bindings: [] }),
      imports: async () => [job],
      importRows: async ({ first, after = -1 }: { first: number; after?: number }) =>
        rows.slice(after + 1, after + 1 + first),
      ...{ domains: nothing, listRules: nothing, websites: nothing },
    },
    mailbox: { accountEmails: async () => ({ emails: [], nextCursor: null }), events: nothing },
    forwarder: { deliveries: nothing },
    webhook: {
      accountWebhook: async () => ({ webhook: null }),
      ...{ callbacks: nothing, eventCalls: nothing, recorders: nothing },
    },
    streams: {},
  };
}

let close: (() => void) | undefined;
afterEach(() => close?.());

/** The answer to who asks for an export of what these services keep; 500 and more where it could not begin. */
async function exported(given: object, query = ""): Promise<{ status: number; text: string }> {
  const authenticator = { account: async () => ({ accountId }) };
  const app = express();
  app.get("/export", accountExport(authenticator as unknown as Export[0], given as unknown as Export[1]));
  app.use(((error: { status?: number }, _request, response, _next) => {
    response.status(error.status ?? 500).end();
  }) satisfies express.ErrorRequestHandler);
  const server = createServer(app).listen(0, "127.0.0.1");
  close = () => server.close();
  await new Promise((resolve) => server.once("listening", resolve));
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/export${query}`);
  return { status: answer.status, text: await answer.text() };
}

test("it has imports with every row of them, and what an import reads has none", async () => {
  const { imports } = JSON.parse((await exported(services())).text);
  expect(imports).toEqual([{ ...job, rows }]);
  expect(JSON.parse((await exported(services(), "?mail=false")).text)).not.toHaveProperty("imports");
});

test("what is removed while it is read ends with what was read", async () => {
  const gone = async () => {
    throw new Refusal("NotFound", { public: "There is no such thing." });
  };
  const given = services();
  const { importRows } = given.bindings;
  const removed = {
    ...given,
    bindings: {
      ...given.bindings,
      list: async () => ({ bindings: [{ id: newId() }] }),
      domains: async () => [{ id: newId(), name: "own.example" }],
      importRows: async (page: Parameters<typeof importRows>[0]) =>
        page.after === undefined ? importRows(page) : gone(),
      ...{ contacts: gone, domainPatterns: gone },
    },
    webhook: { ...given.webhook, recorders: async () => [{ hash: "f".repeat(32) }], recordedCalls: gone },
  };
  expect(JSON.parse((await exported(removed)).text)).toMatchObject({
    contacts: [],
    domains: [{ name: "own.example", patterns: [] }],
    recorders: [{ calls: [] }],
    imports: [{ ...job, rows: rows.slice(0, 1_000) }],
  });
});

describe("once its credential is looked up in vain", () => {
  /** After the first page of an import's rows. */
  function lookedUpInVain(error: Error) {
    const given = services();
    const asked: object[] = [];
    const importRows = async (page: { first: number; after?: number }) => {
      asked.push(page);
      return given.bindings.importRows(page);
    };
    const lookedUp: object[] = [];
    const requireInForce = async (credential: object) => {
      lookedUp.push(credential);
      if (asked.length > 0) throw error;
      return {};
    };
    return {
      given: {
        ...given,
        auth: { ...given.auth, requireInForce },
        bindings: { ...given.bindings, importRows },
      },
      asked,
      lookedUp,
    };
  }

  test("it breaks off before the next page where it is revoked", async () => {
    const { given, asked, lookedUp } = lookedUpInVain(new Refusal("BearerTokenInvalid", { public: "It is revoked." }));
    await expect(exported(given)).rejects.toThrow(/terminated|fetch failed/);
    expect(asked).toHaveLength(1);
    expect(lookedUp[0]).toEqual({ accountId, scope: "admin", mayHaveExpired: true });
  });

  test("it goes on where auth is out of reach", async () => {
    const { given, asked } = lookedUpInVain(new Outage("auth", { operator: "it is down" }));
    expect(JSON.parse((await exported(given)).text)).toMatchObject({ imports: [{ rows }] });
    expect(asked).toHaveLength(2);
  });
});

type Service = "auth" | "bindings" | "mailbox" | "forwarder" | "webhook";

test.each<[Service, string]>([
  ["auth", "settings"],
  ["bindings", "imports"],
  ["mailbox", "accountEmails"],
  ["mailbox", "events"],
  ["forwarder", "deliveries"],
  ["webhook", "accountWebhook"],
  ["webhook", "eventCalls"],
  ["webhook", "callbacks"],
])("where %s is of a release that does not know %s, it does not begin", async (service, procedure) => {
  const given: Record<string, Record<string, unknown>> = services();
  given[service] = {
    ...given[service],
    [procedure]: async () => {
      throw new Outage(service, { operator: "it answered 404" });
    },
  };
  expect(await exported(given)).toEqual({ status: 503, text: "" });
});
