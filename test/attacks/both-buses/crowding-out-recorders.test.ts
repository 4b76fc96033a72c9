import { type ClientRequest, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../../support/eventually.ts";
import { AttackedInstallation, type Owner } from "../support/accounts.ts";

// The calls of all recorders share the memory for bodies that are on their way. Somebody begins long calls, from as many addresses
// or to as many recorders as they have, and never ends them.

let attacked: AttackedInstallation;
let strangers: Owner;
const held: ClientRequest[] = [];

beforeAll(async () => {
  attacked = await AttackedInstallation.start();
  strangers = await attacked.owner();
}, 200_000);
afterAll(() => attacked.dispose());

const mebibyte = 1024 * 1024;

async function recorderOf(owner: Owner): Promise<string> {
  const { recorder } = await owner.client.field(`mutation { createRecorder { recorder { id } } }`);
  return String(recorder?.["id"]);
}

/** Begins a call of 10 MiB, sends some of it, and waits; its status where it is answered all the same. */
function call(hash: string, address: string, sentBytes: number): { sent: ClientRequest; status: Promise<number> } {
  const { port, hostname } = new URL(attacked.installation.url);
  const headers = { "content-length": 10 * mebibyte, "x-forwarded-for": address };
  const path = `/api/v1/callback/call/${hash}`;
  const { promise, resolve } = Promise.withResolvers<number>();
  const sent = request({ hostname, port, path, method: "POST", headers, agent: false }, (response) => {
    response.resume();
    resolve(response.statusCode ?? 0);
  });
  // It is broken off at the end, or by the server that refuses it.
  sent.on("error", () => resolve(0));
  sent.write(Buffer.alloc(sentBytes, "x"));
  return { sent, status: promise };
}

async function whole(hash: string, address: string): Promise<number> {
  const { sent, status } = call(hash, address, 10 * mebibyte);
  sent.end();
  return status;
}

/**
 * Begins two calls that come to almost one share of the room, and holds them, until one more of the same kind is refused. Where that one
 * was read before them, they may be the ones that were refused, and are begun again.
 */
async function occupy(next: (turn: number) => [hash: string, address: string]): Promise<void> {
  await eventually(async () => {
    for (const sent of held.splice(0)) sent.destroy();
    for (let turn = 0; turn < 2; turn++) held.push(call(...next(turn), 7 * mebibyte).sent);
    await delay(200);
    expect([429, 503]).toContain(await whole(...next(4)));
  });
}

/** Breaks the calls off, until the owner of one of their recorders has room again. */
async function letGo(hash: string, address: string): Promise<void> {
  for (const sent of held.splice(0)) sent.destroy();
  await eventually(async () => expect(await whole(hash, address)).toBe(200));
}

test("an account with many recorders, called from everywhere, leaves room for the calls of others", async () => {
  const thief = await attacked.owner();
  const hashes = await Promise.all(Array.from({ length: 5 }, () => recorderOf(thief)));
  await occupy((turn) => [hashes[turn] ?? "", `198.51.100.${turn}`]);
  expect(await whole(await recorderOf(strangers), "203.0.113.1")).toBe(200);
  await letGo(hashes[0] ?? "", "198.51.100.0");
});

test("a client with all addresses of its network leaves room for the calls of others", async () => {
  const owners = await Promise.all(Array.from({ length: 5 }, () => attacked.owner()));
  const hashes = await Promise.all(owners.map(recorderOf));
  await occupy((turn) => [hashes[turn] ?? "", `2001:db8::${turn + 1}`]);
  expect(await whole(await recorderOf(strangers), "2001:db8:1::1")).toBe(200);
  await letGo(hashes[0] ?? "", "2001:db8::1");
});
