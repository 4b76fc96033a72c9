import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../../support/eventually.ts";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import { ask } from "../support/ask.ts";
import { errorDocument } from "../support/documents.ts";
import { contractInstallation } from "../support/installation.ts";
import { madeRecorder, recorderPath } from "../support/recorders.ts";

let anna: TestAccount;
let hash: string;
beforeAll(async () => {
  anna = await newAccount("anna");
  hash = await madeRecorder(anna);
});

const mebibyte = 1024 * 1024;

/** A call of 10 MiB of which the last byte does not come. */
async function unfinishedCall(): Promise<Socket> {
  const { hostname, port } = new URL((await contractInstallation()).url);
  const socket = connect({ port: Number(port), host: hostname, localAddress: "127.0.2.129" });
  // Any answer is its end: refused is whichever call asks for too much, and that may be this one.
  socket.once("error", () => socket.destroy()).once("data", () => socket.destroy());
  await once(socket, "connect");
  socket.write(`POST ${recorderPath}/call/${hash} HTTP/1.1\r\nHost: x\r\nContent-Length: ${10 * mebibyte}\r\n\r\n`);
  await new Promise((resolve) => socket.write(Buffer.alloc(10 * mebibyte - 1, "x"), resolve));
  return socket;
}

test("more at once than an account's recorders have room for is to be sent again, and is taken then", async () => {
  let socket = await unfinishedCall();
  // From elsewhere: it is the account's share that is used up.
  const from = "127.0.2.130";
  const body = Buffer.alloc(6 * mebibyte, "y");
  const call = () => ask({ method: "POST", path: `${recorderPath}/call/${hash}`, body, from });
  await eventually(async () => {
    if (socket.destroyed) socket = await unfinishedCall();
    const answer = await call();
    expect(answer.status).toBe(429);
    expect(answer.headers["retry-after"]).toBe("1");
    expect(answer.body).toEqual(errorDocument("RateLimited", "rest"));
  });
  socket.destroy();
  await eventually(async () => expect((await call()).status).toBe(200));
});
