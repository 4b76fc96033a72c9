import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, test } from "@jest/globals";
import { readBody } from "./read-body.ts";

test("a body whose client hung up before it was read is an error, and no wait without end", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf of it");
  const [request] = (await once(server, "request")) as [IncomingMessage];
  request.on("error", () => undefined);
  const closed = new Promise((resolve) => request.once("close", resolve));
  socket.destroy();
  await closed;
  await expect(readBody(request, 1_000)).rejects.toThrow();
  await new Promise((resolve) => server.close(resolve));
});
