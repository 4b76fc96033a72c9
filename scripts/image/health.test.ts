import { execFile } from "node:child_process";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { afterEach, expect, test } from "@jest/globals";
import { testCertificate } from "../../test/support/http/certificate.ts";
import { freePorts } from "../peers/free-ports.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const readyz =
  (status: number): RequestListener =>
  (request, response) =>
    response.writeHead(request.url === "/readyz" ? status : 404).end(`status ${status}`);

async function port(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return String((server.address() as AddressInfo).port);
}

/** The exit code, and what is printed. */
function check(environment: NodeJS.ProcessEnv): Promise<{ code: number; printed: string }> {
  const script = new URL("health.ts", import.meta.url).pathname;
  const env = { PATH: process.env["PATH"], ...environment };
  return new Promise((resolve) =>
    execFile(process.execPath, [script], { env }, (error, printed) =>
      resolve({ code: error ? Number(error.code) : 0, printed }),
    ),
  );
}

test("a process is asked at its internal port, and at the public HTTP port if it has no other", async () => {
  const [nobody = 0] = await freePorts(1);
  const ready = await port(createServer(readyz(200)));
  expect(await check({ INTERNAL_PORT: ready, HTTP_PORT: String(nobody) })).toEqual({
    code: 0,
    printed: "status 200\n",
  });
  const publicHttp = await check({ INTERNAL_PORT: String(nobody), HTTP_PORT: ready });
  expect(publicHttp).toEqual({ code: 0, printed: expect.stringMatching(/ECONNREFUSED.*\nstatus 200\n$/) });
  const unready = await port(createServer(readyz(503)));
  const { code, printed } = await check({ INTERNAL_PORT: unready, HTTP_PORT: String(nobody) });
  expect([code, printed]).toEqual([1, expect.stringContaining("status 503")]);
});

test("where peers speak TLS, so does it", async () => {
  const [nobody = 0] = await freePorts(1);
  const { key, cert } = await testCertificate("postern-auth.example.org");
  const ready = await port(createTlsServer({ key, cert }, readyz(200)));
  const environment = { INTERNAL_PORT: ready, HTTP_PORT: String(nobody), INTERNAL_TLS_CERT: "/internal-tls/tls.crt" };
  expect(await check(environment)).toEqual({ code: 0, printed: "status 200\n" });
});
