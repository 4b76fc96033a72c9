import { get, type IncomingMessage } from "node:http";
import { get as getByTls } from "node:https";
import { text } from "node:stream/consumers";

// The image's HEALTHCHECK: it has no curl, and may have no shell.
// A service of a fleet answers at INTERNAL_PORT, by TLS if it is given a certificate; one process with all of them at HTTP_PORT alone.

const limitMs = 4_000;
const internal = `${process.env["INTERNAL_TLS_CERT"] ? "https" : "http"}://127.0.0.1:${process.env["INTERNAL_PORT"] || "9090"}`;
const publicHttp = `http://127.0.0.1:${process.env["HTTP_PORT"] || "8080"}`;

/** Probes need no certificate, and the server's names no loopback address. */
function ask(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options = { signal: AbortSignal.timeout(limitMs), rejectUnauthorized: false };
    (url.startsWith("https:") ? getByTls : get)(`${url}/readyz`, options, resolve).on("error", reject);
  });
}

async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await ask(url);
    process.stdout.write(`${await text(answer)}\n`);
    return answer.statusCode === 200;
  } catch (error) {
    process.stdout.write(`${url}: ${error instanceof Error ? error.message : String(error)}\n`);
    return false;
  }
}

let isHealthy = false;
for (const url of [internal, publicHttp]) isHealthy ||= await isReady(url);
process.exitCode = isHealthy ? 0 : 1;
