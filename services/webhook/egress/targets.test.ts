import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterEach, describe, expect, test } from "@jest/globals";
import { post, startNameServer, startRawServer, startTarget, stopStarted } from "../test-support/egress.ts";
import { Target } from "../test-support/target.ts";

afterEach(stopStarted);

describe("a target", () => {
  test("that hangs, drips or says too much costs no more than its time and a little memory", async () => {
    const hanging = await startTarget(() => undefined);
    const failure = "The target did not answer within 0.3 seconds.";
    await expect(post(hanging.url(), { timeoutMs: 300 })).rejects.toThrow(failure);
    const dripping = await startRawServer((socket) => {
      const timer = setInterval(() => socket.write("H"), 20);
      socket.on("close", () => clearInterval(timer));
    });
    await expect(post(dripping, { timeoutMs: 300 })).rejects.toThrow(/not HTTP|did not answer/);
    const slowHeader = await startRawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nX-Slow: ");
      const timer = setInterval(() => socket.write("x"), 20);
      socket.on("close", () => clearInterval(timer));
    });
    await expect(post(slowHeader, { timeoutMs: 300 })).rejects.toThrow(failure);
    const tooLong = await startRawServer((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\nX: ${"x".repeat(20_000)}\r\n\r\n`),
    );
    await expect(post(tooLong)).rejects.toThrow("The target's answer has too large a header.");
  });

  test("that goes on talking after its status is cut off", async () => {
    const said = { sentBytes: 0, closed: Promise.withResolvers<void>() };
    const url = await startRawServer((socket) => {
      socket.on("close", () => said.closed.resolve());
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${100 * 1024 * 1024}\r\n\r\n`);
      const more = () => {
        while (!socket.destroyed && said.sentBytes < 100 * 1024 * 1024) {
          said.sentBytes += 65_536;
          if (!socket.write(Buffer.alloc(65_536))) return;
        }
      };
      socket.on("drain", more);
      more();
    });
    await expect(post(url)).resolves.toMatchObject({ status: 200 });
    await said.closed.promise;
    expect(said.sentBytes).toBeLessThan(20 * 1024 * 1024);
  });

  test("that drips its body has answered all the same, and so has one that breaks off in it", async () => {
    const dripping = await startTarget((_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write("x"), 100);
      response.on("close", () => clearInterval(timer));
      return undefined;
    });
    await expect(post(dripping.url())).resolves.toMatchObject({ status: 200 });
    const breaking = await startRawServer((socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"));
    await expect(post(breaking)).resolves.toMatchObject({ status: 200 });
  });

  test.each([
    ["nothing", "", "The target closed the connection before it had answered."],
    ["half a header", "HTTP/1.1 200 OK\r\nX: y", "The target closed the connection before it had answered."],
    ["another protocol", "220 mail.example ESMTP\r\n", "The target's answer is not HTTP (HPE_INVALID_CONSTANT)."],
    [
      "a switch of protocols",
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
      "The target closed the connection before it had answered.",
    ],
  ])("that answers %s has failed", async (_, bytes, failure) => {
    await expect(post(await startRawServer((socket) => socket.end(bytes)))).rejects.toThrow(failure);
  });

  test("that is not there has failed, and its name too", async () => {
    const gone = await Target.start(() => 200);
    const url = gone.url();
    await gone.stop();
    await expect(post(url)).rejects.toThrow("The target refused the connection.");
    const dns = await startNameServer({});
    await expect(post("http://nobody.example/", { nameServers: [dns.address] })).rejects.toThrow(
      "The host name has no address.",
    );
  });

  test("is asked what its Retry-After says", async () => {
    const busy = await startTarget((_, response) => {
      response.writeHead(503, { "retry-after": "7" }).end();
      return undefined;
    });
    await expect(post(busy.url())).resolves.toMatchObject({ status: 503, retryAfter: "7" });
  });

  test("gets the user and password of its URL", async () => {
    const hook = await startTarget(() => 200);
    await post(hook.url().replace("://", "://ann:p%40ss@"));
    await post(hook.url().replace("://", "://ann:p%zz@"));
    const credentials = hook.calls.map(({ headers }) =>
      Buffer.from(headers.authorization?.slice(6) ?? "", "base64").toString(),
    );
    expect(credentials).toEqual(["ann:p@ss", "ann:p%zz"]);
  });

  test("is called without the proxy of the environment", async () => {
    const hook = await startTarget(() => 200);
    const script = `
      import { Egress } from ${JSON.stringify(new URL("./egress.ts", import.meta.url).href)};
      const egress = new Egress({ allowedCidrs: ["127.0.0.0/8"], nameServers: [], timeoutMs: 10000 });
      await egress.post(${JSON.stringify(hook.url())}, {}, [Buffer.from("body")]);`;
    // Nobody listens on port 9: whoever asks the proxy gets nowhere.
    const env = { HTTP_PROXY: "http://127.0.0.1:9", http_proxy: "http://127.0.0.1:9", NODE_USE_ENV_PROXY: "1" };
    await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], { env });
    expect(hook.calls).toHaveLength(1);
  });
});

describe("a URL", () => {
  test.each(["ftp://target.example/", "javascript:alert(1)", "nonsense", "", "http://"])(
    "that is none of ours fails: %s",
    async (url) => {
      await expect(post(url)).rejects.toThrow("The callback URL is no http(s) URL.");
    },
  );

  test.each([25, 22, 6667])("with a port of another protocol fails: %s", async (port) => {
    await expect(post(`http://127.0.0.1:${port}/`)).rejects.toThrow(/belongs to another protocol/);
  });
});
