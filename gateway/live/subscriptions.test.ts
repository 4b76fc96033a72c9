import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { buildSchema } from "graphql";
import { Refusal } from "../../services/platform/errors.ts";
import { createLogger } from "../../services/platform/telemetry/logger.ts";
import { eventually } from "../../test/support/eventually.ts";
import { emailVariable, subscriptionOf } from "../graph/subscription-query.ts";
import { LiveConnections } from "./live-connections.ts";
import { subscriptionStream } from "./subscriptions.ts";

const schema = buildSchema(`
  type Query { email(id: ID!): Email }
  type Subscription { emailArrived(bindingId: ID!): Email deliveryChanged(emailId: ID!): Email }
  type Email { id: ID! }
`);
const ofBinding = 'subscription { emailArrived(bindingId: "mine") { id } }';
const changes = 'subscription { deliveryChanged(emailId: "e") { id } }';

let server: Server;
let url: string;
let feed: PassThrough;
/** Emails that were asked for, and what an answer waits for. */
let asked: string[];
let answered: Promise<void>;
let timeline: string[];
let isRevoked: boolean;
/** How often the credential is looked at while nothing comes. */
let recheckMs = 10;
/** The account has as many streams as it may have. */
let isFull: boolean;

beforeEach(async () => {
  feed = new PassThrough();
  [asked, timeline, isRevoked, isFull, answered] = [[], ["accepted"], false, false, Promise.resolve()];
  const account = async () => {
    if (isRevoked) throw new Refusal("BearerTokenInvalid", { public: "no longer" });
    return { accountId: "a" } as never;
  };
  const arrivals = async () => {
    if (isFull) throw new Refusal("RateLimited", { public: "Too many streams are open at once.", retryAfterS: 60 });
    return feed as never;
  };
  const notFound = new Refusal("NotFound", { public: "There is none." });
  const stream = subscriptionStream({
    connections: new LiveConnections({ account }, { arrivals }, { recheckMs }),
    graph: {
      ask: async ({ variables }) => {
        const id = String(variables[emailVariable]);
        asked.push(id);
        await answered;
        return { data: { id } };
      },
      subscription: async (request) => subscriptionOf(schema, request, { depth: 5, cost: 100, aliases: 2 }),
    },
    statements: { sign: () => "signed" } as never,
    bindings: {
      get: async ({ id }) => {
        if (id !== "mine") throw notFound;
        return {} as never;
      },
    },
    mailbox: {
      timeline: async ({ emailId }) => {
        if (emailId !== "e" || timeline.length === 0) throw notFound;
        return timeline as never;
      },
    },
    trustedHops: 0,
    logger: createLogger({ LOG_LEVEL: "silent", LOG_FORMAT: "json" }),
    pollMs: 5,
  });
  server = createServer((request, response) => void stream(request, response)).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql/stream`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Subscribes; what came so far is in `text`. */
async function subscribed(query: string) {
  const response = await fetch(url, { method: "POST", body: JSON.stringify({ query }) });
  const found = { status: response.status, text: "", isEnded: false };
  void (async () => {
    for await (const part of response.body ?? []) found.text += Buffer.from(part).toString();
    found.isEnded = true;
  })().catch(() => undefined);
  return found;
}

const told = (emailId: string, bindingId = "mine") => feed.write(`${JSON.stringify({ bindingId, emailId })}\n`);

test("each email of the binding is told with what was selected, in order, and no other's", async () => {
  const found = await subscribed(ofBinding);
  told("other", "theirs");
  for (const emailId of ["1", "2"]) told(emailId);
  const event = (id: string) => `event: next\ndata: {"data":{"id":"${id}"}}\n\n`;
  await eventually(() => expect(found.text).toBe(`:\n\n${event("1")}${event("2")}`));
  expect(asked).toEqual(["1", "2"]);
});

test("a flood is not held without end: the client reads the list again", async () => {
  answered = new Promise(() => undefined);
  const found = await subscribed(ofBinding);
  for (let count = 0; count < 150; count += 1) told(String(count));
  await eventually(() => expect(found.isEnded).toBe(true));
  expect(asked).toEqual(["0"]);
});

test("an email is told as it is, whenever its timeline has grown, and to its end", async () => {
  const found = await subscribed(changes);
  await eventually(() => expect(asked).toHaveLength(1));
  timeline = ["accepted", "forwarded"];
  await eventually(() => expect(asked).toHaveLength(2));
  timeline = [];
  await eventually(() =>
    expect(found).toMatchObject({ isEnded: true, text: expect.stringMatching(/event: complete\ndata:\n\n$/) }),
  );
});

test("whoever is refused from now on is told nothing more", async () => {
  const found = await subscribed(changes);
  isRevoked = true;
  await eventually(() => expect(found.isEnded).toBe(true));
  expect(found.text).not.toContain("complete");
  expect((await subscribed(changes)).status).toBe(401);
});

test("an account has no more streams than of /events", async () => {
  isFull = true;
  expect((await subscribed(ofBinding)).status).toBe(429);
});

test.each([
  ["a binding of another account", 404, 'subscription { emailArrived(bindingId: "theirs") { id } }'],
  ["an email of another account", 404, 'subscription { deliveryChanged(emailId: "theirs") { id } }'],
  ["what is no subscription", 422, '{ email(id: "e") { id } }'],
])("%s is refused before anything is streamed", async (_name, status, query) => {
  const found = await subscribed(query);
  await eventually(() => expect(found).toMatchObject({ status, text: expect.stringContaining('{"errors":[') }));
  expect(asked).toEqual([]);
});

describe("whoever lost their credential since it was last looked at", () => {
  beforeAll(() => {
    recheckMs = 3_600_000;
  });
  afterAll(() => {
    recheckMs = 10;
  });

  test("is told of no email that comes", async () => {
    const found = await subscribed(ofBinding);
    told("1");
    await eventually(() => expect(found.text).toContain('{"id":"1"}'));
    isRevoked = true;
    told("2");
    await eventually(() => expect(found.isEnded).toBe(true));
    expect(asked).toEqual(["1"]);
  });

  test("is told of no change of an email", async () => {
    const found = await subscribed(changes);
    await eventually(() => expect(asked).toHaveLength(1));
    isRevoked = true;
    timeline = ["accepted", "forwarded"];
    await eventually(() => expect(found.isEnded).toBe(true));
    expect(asked).toHaveLength(1);
  });
});
