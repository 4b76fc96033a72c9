import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, test } from "@jest/globals";
import { execute } from "./execute.ts";

const node = process.execPath;

test("exit code and output are those of the command", async () => {
  const ending = await execute([node, "-e", "console.log('out'); console.error('err'); process.exitCode = 3"], {
    limitS: 30,
    quiet: true,
  });
  expect(ending).toMatchObject({ code: 3, timedOut: false });
  expect(ending.output).toContain("out");
  expect(ending.output).toContain("err");
});

test("a command that is not there fails and says so", async () => {
  const ending = await execute(["no-such-command"], { limitS: 30, quiet: true });
  expect(ending).toMatchObject({ code: 127, timedOut: false });
  expect(ending.output).toContain("ENOENT");
});

test("what runs over its limit is ended, together with what it started", async () => {
  // The grandchild holds a connection to us: its end is seen as the connection's end.
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const connected = once(server, "connection");
  const grandchild = `require("node:net").connect(${(server.address() as AddressInfo).port}, "127.0.0.1")`;
  const child = `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(grandchild)}])`;
  const ended = execute([node, "-e", `${child}; setInterval(() => 0, 1000)`], { limitS: 10, quiet: true });
  const [connection] = (await connected) as [Socket];
  connection.on("error", () => connection.destroy()).resume();
  await once(connection, "close");
  expect((await ended).timedOut).toBe(true);
  server.close();
});
