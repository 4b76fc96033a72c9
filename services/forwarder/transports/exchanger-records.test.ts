import { afterEach, describe, expect, test } from "@jest/globals";
import { acceptAll, ScriptedServer } from "../../../test/support/mail/scripted-server.ts";
import type { Zone } from "../../../test/support/peers/dns-server.ts";
import { mxTransport } from "../test-support/mx-transport.ts";
import { outgoing } from "../test-support/outbound-message.ts";

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** An exchanger at 127.0.0.1, which answers as told; nobody listens at 127.0.0.2, and 10.0.0.1 is not connected to. */
async function exchangerOf(zone: Zone, answers: Parameters<typeof acceptAll>[0] = {}) {
  const server = await ScriptedServer.start(acceptAll(answers));
  const { mx, names } = await mxTransport({ port: server.port, zone });
  closing.push(
    () => names.stop(),
    () => server.stop(),
    () => mx.close(),
  );
  return { mx, server };
}

const mail = outgoing(undefined, { recipient: "real@inbox.example" });

describe("a domain without MX records", () => {
  test.each([
    ["may not be connected to", "10.0.0.1"],
    ["does not answer", "127.0.0.2"],
  ])("is reached by its AAAA where its A %s (RFC 5321 section 5.1)", async (_, address) => {
    const { mx } = await exchangerOf({
      "inbox.example A": [address],
      "inbox.example AAAA": ["::ffff:127.0.0.1"],
    });
    expect(await mx.send(mail)).toMatchObject({ kind: "delivered", remote: "inbox.example[::ffff:127.0.0.1]" });
  });

  test("waits while one of its addresses cannot be looked up and there is no other", async () => {
    const { mx } = await exchangerOf({ "inbox.example AAAA": ["SERVFAIL"] });
    expect(await mx.send(mail)).toMatchObject({ kind: "deferred" });
  });

  test("is not asked while its MX records cannot be looked up", async () => {
    const { mx } = await exchangerOf({ "inbox.example MX": ["SERVFAIL"], "inbox.example A": ["127.0.0.1"] });
    expect(await mx.send(mail)).toMatchObject({ kind: "deferred", remote: "" });
  });
});

test("an exchanger's name may be an alias", async () => {
  const { mx } = await exchangerOf({
    "inbox.example MX": ["10 alias.example"],
    "alias.example CNAME": ["mx.example"],
    "mx.example A": ["127.0.0.1"],
  });
  expect(await mx.send(mail)).toMatchObject({ kind: "delivered", remote: "alias.example[127.0.0.1]" });
});

describe("of a list that names us", () => {
  const refusal = { RCPT: "550 5.7.1 We do not relay to this domain\r\n" };

  test.each(["postern.example", "MX2.postern.example"])(
    "those before us alone count, so that mail waits for them (RFC 5321 section 5.1): %s",
    async (ours) => {
      const { mx, server } = await exchangerOf(
        {
          "inbox.example MX": ["10 away.example", `20 ${ours}`, "30 other.example"],
          "away.example A": ["127.0.0.2"],
          [`${ours.toLowerCase()} A`]: ["127.0.0.1"],
          "other.example A": ["127.0.0.1"],
        },
        refusal,
      );
      expect(await mx.send(mail)).toMatchObject({ kind: "deferred" });
      expect(server.connectionCount).toBe(0);
    },
  );

  test("none is before us: what is for us is sent to us", async () => {
    const { mx } = await exchangerOf({
      "inbox.example MX": ["10 postern.example"],
      "postern.example A": ["127.0.0.1"],
    });
    expect(await mx.send(mail)).toMatchObject({ kind: "delivered" });
  });
});
