import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { CallerStatements } from "../../services/platform/graph/caller-statement.ts";
import { DeviceCookie } from "../../services/platform/http/device-cookie.ts";
import { SessionCookie } from "../../services/platform/http/session-cookie.ts";
import { Secrets } from "../../services/platform/security/secrets.ts";
import { createLogger } from "../../services/platform/telemetry/logger.ts";
import { CallerAuthenticator } from "./caller-authenticator.ts";
import type { Graph } from "./graph.ts";
import { graphHandler } from "./handler.ts";

const url = "http://127.0.0.1:8080";
const account = { accountId: "1", username: "owner", isFullyAuthenticated: true };
const said: string[] = [];
const graph = {
  answer: async (_asked: unknown, { context }: Parameters<Graph["answer"]>[1]) => {
    said.push(context.statement);
    return { status: 200, headers: [], body: "{}" };
  },
};
const cookie = new SessionCookie(url);
const statements = new CallerStatements(new Secrets("a key of thirty-two characters or so"));
const server = createServer(
  graphHandler({
    graph: graph as unknown as Graph,
    authenticator: new CallerAuthenticator({ authenticate: async () => account }, cookie),
    cookie,
    deviceCookie: new DeviceCookie(url),
    statements,
    trustedHops: 0,
    logger: createLogger({ LOG_LEVEL: "silent", LOG_FORMAT: "json" }),
  }),
);
let address: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
});
afterAll(() => void server.close());

/** What services are told of who asks, by two requests that are alike. */
async function statementsOf(headers: Record<string, string>) {
  said.length = 0;
  for (const _ of [1, 2]) await fetch(address, { method: "POST", headers, body: "{}" });
  return said.map((signed) => statements.read(signed));
}

test("a program that sends its credential says the same each time, so that it is signed once", async () => {
  // A statement is kept for a second, which may pass between two requests on a slow machine.
  const clock = jest.spyOn(performance, "now").mockReturnValue(performance.now());
  const [first, second] = await statementsOf({ token: "a token" });
  clock.mockRestore();
  expect(first).toMatchObject({ caller: { username: "owner" } });
  expect(second).toEqual(first);
  expect(new Set(said).size).toBe(1);
  expect(first?.device).toBeUndefined();
});

test("who may be a browser that is about to sign in has a name, the one of its cookie or a new one", async () => {
  const device = "a1B2-c3D4_e5F6g7H8i9J0";
  expect(await statementsOf({ cookie: `postern-device=${device}` })).toMatchObject([{ device }, { device }]);
  const [first, second] = await statementsOf({});
  expect(first?.device).toMatch(/^[\w-]{22}$/);
  expect(second?.device).not.toBe(first?.device);
});
