import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "@jest/globals";
import express from "express";
import { createLogger } from "../services/platform/telemetry/logger.ts";
import { publicRouter } from "./public-router.ts";

const logger = createLogger({ LOG_LEVEL: "silent", LOG_FORMAT: "json" });
let server: Server | undefined;
afterEach(() => void server?.close());

/** The URL of a public router with a REST and a graph behind it that tell of what reaches them. */
async function opened(corsOrigins: readonly string[]): Promise<string> {
  const own = express.Router();
  own.all(["/graphql", "/page"], (_request, response) => void response.send("here"));
  const rest = (_request: unknown, response: { end(text: string): void }) => response.end("here");
  server = createServer(publicRouter({ rest: rest as never, own, trustedHops: 0, corsOrigins, logger })).listen(0);
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const origin = "https://app.example";
const preflight = { "access-control-request-method": "POST", "access-control-request-headers": "token,content-type" };

/** All that CORS has a word for in an answer. */
function corsOf({ headers }: Response): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith("access-control-")));
}

describe.each(["/api/v1/proxy-bindings", "/api/v1/callback/call/abc", "/graphql"])("%s", (path) => {
  test("no origin is let in unless it is named", async () => {
    const url = await opened([]);
    for (const headers of [{ origin }, { origin, ...preflight }]) {
      const answer = await fetch(`${url}${path}`, { method: "OPTIONS", headers });
      expect(corsOf(answer)).toEqual({});
      expect(await answer.text()).toBe("here");
    }
  });

  test("a named origin is let in, by a token of its own and never with credentials", async () => {
    const url = await opened(["https://other.example", origin]);
    const asked = await fetch(`${url}${path}`, { method: "OPTIONS", headers: { origin, ...preflight } });
    expect(asked.status).toBe(204);
    expect(asked.headers.get("access-control-allow-origin")).toBe(origin);
    expect(asked.headers.get("access-control-allow-headers")).toMatch(/\bToken\b.*\bContent-Type\b/);
    expect(asked.headers.get("access-control-allow-methods")).toMatch(/\bPATCH\b/);
    const answer = await fetch(`${url}${path}`, { method: "POST", headers: { origin } });
    expect(await answer.text()).toBe("here");
    expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
    for (const each of [asked, answer]) {
      expect(each.headers.get("access-control-allow-credentials")).toBeNull();
      expect(each.headers.get("vary")).toContain("Origin");
    }
  });

  test("another origin is not, however much it looks like one", async () => {
    const url = await opened([origin]);
    for (const other of ["https://app.example.evil.example", "http://app.example", "null", "https://app.example:8443"])
      expect(corsOf(await fetch(`${url}${path}`, { headers: { origin: other } }))).toEqual({});
  });
});

test("any origin, where the operator says so; and nothing but REST and the graph", async () => {
  const url = await opened(["*"]);
  const answer = await fetch(`${url}/api/v1/users/me`, { headers: { origin } });
  expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
  for (const path of ["/page", "/api/v10", "/verify/abc", "/graphqlx"])
    expect(corsOf(await fetch(`${url}${path}`, { headers: { origin } }))).toEqual({});
});
