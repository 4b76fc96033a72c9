import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { z } from "zod";
import { Refusal } from "../../../services/platform/errors.ts";
import { createLogger } from "../../../services/platform/telemetry/logger.ts";
import { openApiDocument } from "../../../services/rest/documentation/openapi.ts";
import { restApplication } from "../../../services/rest/http/application.ts";
import { dataOf, listOf, posternEndpoint } from "../../../services/rest/postern/endpoint.ts";
import { askAt } from "../support/ask.ts";
import { errorDocument } from "../support/documents.ts";

// What all of /api/postern/v1 has in common, by endpoints of this test alone.

const Thing = z.object({ name: z.string() }).meta({ id: "Thing" });

const listThings = posternEndpoint({
  name: "listThings",
  summary: "List the things that there are",
  method: "GET",
  path: "/things",
  scope: "alias:read",
  query: { after: { schema: z.string(), description: "The cursor of a former page" } },
  responses: { 200: listOf(Thing) },
  handle: async ({ query }) => {
    const isLast = query.get("after") === "one";
    return { status: 200, data: [{ name: isLast ? "two" : "one" }], next: isLast ? null : "one" };
  },
});

const putThing = posternEndpoint({
  name: "putThing",
  summary: "Make a thing what it should be",
  method: "PUT",
  path: "/things/{id}",
  scope: "alias:write",
  body: z.object({ waitS: z.number({ error: "expected a number" }) }),
  responses: { 200: dataOf(Thing), 204: undefined },
  refusals: [404],
  handle: async ({ path, body, caller }) => {
    if (path["id"] === "gone") return { status: 204 };
    if (body.waitS > 60) throw new Refusal("ValidationFailed", { field: "waitS", public: "must be 60 at most." });
    return { status: 200, data: { name: `${path["id"]} of ${caller.username}` } };
  },
});

let server: Server;
let url: string;
beforeAll(async () => {
  const auth = { authenticate: async () => ({ accountId: "1", username: "anna", isFullyAuthenticated: true }) };
  const logger = createLogger({ LOG_LEVEL: "silent", LOG_FORMAT: "json" });
  const services = { auth } as never;
  server = createServer(restApplication({ endpoints: [listThings, putThing], pages: [], services, logger })).listen(0);
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const asked = (method: string, path: string, body?: unknown) =>
  askAt(url, { method, path: `/api/postern/v1${path}`, headers: { token: "x" }, body });

test("a list has `next` where there is more, and no member of that name on its last page", async () => {
  expect((await asked("GET", "/things")).body).toEqual({ data: [{ name: "one" }], next: "one" });
  expect((await asked("GET", "/things?after=one")).body).toEqual({ data: [{ name: "two" }] });
});

test("a body stands as it is, and so does what is answered", async () => {
  expect((await asked("PUT", "/things/a", { waitS: 1 })).body).toEqual({ data: { name: "a of anna" } });
  const nothing = await asked("PUT", "/things/gone", { waitS: 1 });
  expect([nothing.status, nothing.text]).toEqual([204, ""]);
});

test("errors have the shape of the contract, and name members as they stand in the body", async () => {
  const wrong = await asked("PUT", "/things/a", { waitS: "x" });
  expect(wrong.status).toBe(422);
  expect(wrong.body).toEqual(errorDocument("ValidationFailed", "rest", "waitS: expected a number."));
  const tooLong = await asked("PUT", "/things/a", { waitS: 61 });
  expect(tooLong.body).toEqual(errorDocument("ValidationFailed", "rest", "waitS: must be 60 at most."));
  expect((await asked("DELETE", "/things")).headers["allow"]).toBe("GET, HEAD");
  expect((await asked("PUT", "/things/a", "{")).body).toEqual(errorDocument("MalformedRequest", "rest"));
});

test("no cache keeps an answer", async () => {
  expect((await asked("GET", "/things")).headers).toMatchObject({
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
});

test("the document shows every status that it can give", () => {
  const { paths } = openApiDocument([listThings, putThing], url);
  expect(Object.keys(paths?.["/api/postern/v1/things"]?.get?.responses ?? {})).toEqual([
    "200",
    "401",
    "403",
    "422",
    "503",
  ]);
  const put = paths?.["/api/postern/v1/things/{id}"]?.put;
  expect(Object.keys(put?.responses ?? {})).toEqual([
    "200",
    "204",
    "400",
    "401",
    "403",
    "404",
    "413",
    "415",
    "422",
    "503",
  ]);
  expect(put?.tags).toEqual(["Postern"]);
});
