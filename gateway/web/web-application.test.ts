import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import express from "express";
import { silentLogger } from "../../test/support/peers/database.ts";
import { errorHandler } from "../public-router.ts";
import { webApplication } from "./web-application.ts";

let folder: string;
let server: Server;
const onPage = jest.fn();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "postern-web-"));
  const app = express();
  const built = pathToFileURL(`${join(folder, "dist")}/`);
  app.use(webApplication({ publicUrl: "https://postern.example", smtpUrl: null, onPage, folder: built }));
  app.use((_request, response) => void response.status(404).end());
  app.use(errorHandler(silentLogger));
  server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(async () => {
  server.close();
  server.closeAllConnections();
  await rm(folder, { recursive: true, force: true });
});

async function build(): Promise<void> {
  await mkdir(join(folder, "dist/assets"), { recursive: true });
  await writeFile(join(folder, "dist/index.html"), "<p>the application</p>");
  await writeFile(join(folder, "dist/mail-frame.html"), "<p>mail</p>");
  await writeFile(join(folder, "dist/assets/index-1a2b.js"), "run()");
}

function get(path: string, accept = "text/html,*/*;q=0.8"): Promise<Response> {
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { headers: { accept } });
}

test("what is not built is said, and served once it is", async () => {
  expect((await get("/")).status).toBe(503);
  await build();
  expect(await (await get("/")).text()).toBe("<p>the application</p>");
});

test("a person who opens a page is told of, a program or a file of a page is not", async () => {
  await build();
  onPage.mockClear();
  await get("/assets/index-1a2b.js", "*/*");
  await get("/", "application/json");
  expect(onPage).not.toHaveBeenCalled();
  await get("/addresses/42");
  expect(onPage).toHaveBeenCalledTimes(1);
});

test("assets may be kept for ever; pages are asked for each time", async () => {
  await build();
  expect((await get("/assets/index-1a2b.js")).headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect((await get("/")).headers.get("cache-control")).toBe("no-cache");
});

test("where a person goes is the application; what a program misses is missing", async () => {
  await build();
  expect(await (await get("/addresses/42")).text()).toBe("<p>the application</p>");
  expect((await get("/addresses/42", "application/json")).status).toBe(404);
  expect((await get("/assets/gone.js")).status).toBe(404);
});

test.each(["/", "/addresses/42"])("%s runs its own scripts and styles alone, framed by nobody", async (path) => {
  await build();
  const { headers } = await get(path);
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain("unsafe");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
});

test("the document for mail has no scripts, and pictures of the service's attachments alone", async () => {
  await build();
  const policy = (await get("/mail-frame.html")).headers.get("content-security-policy")?.split("; ");
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("img-src data: https://postern.example/api/v1/attachments/");
  expect(policy).toContain("frame-ancestors 'self'");
  expect(policy?.find((directive) => directive.startsWith("script-src"))).toBeUndefined();
  expect(policy?.find((directive) => directive.startsWith("sandbox"))).not.toContain("allow-scripts");
});
