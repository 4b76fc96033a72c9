import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterEach, describe, expect, test } from "@jest/globals";
import { testCertificate } from "../../../test/support/http/certificate.ts";
import { post, startNameServer, startTarget, stopAfterTest, stopStarted } from "../test-support/egress.ts";

afterEach(stopStarted);

describe("an address that is special", () => {
  test.each([
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f.0.0.1",
    "0177.0.0.1",
    "0.0.0.0",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "localhost",
    "LOCALHOST.",
    "hook.localhost",
  ])("is refused however it is written: %s", async (host) => {
    const inner = await startTarget(() => 200);
    await expect(post(inner.url(host), { allowedCidrs: [] })).rejects.toThrow(/private or otherwise special/);
    expect(inner.calls).toEqual([]);
  });

  test("is refused when a name leads to it, and the refusal does not tell where", async () => {
    const dns = await startNameServer({ "inner.example A": ["10.20.30.40"] });
    await expect(post("http://inner.example/", { nameServers: [dns.address] })).rejects.toThrow(
      "The target's address is a private or otherwise special one: callbacks may not go there.",
    );
  });

  test("is left out where a name has an ordinary one as well", async () => {
    const inner = await startTarget(() => 200);
    const dns = await startNameServer({ "mixed.example A": ["127.0.0.1"], "mixed.example AAAA": ["2d00::1"] });
    const url = inner.url("mixed.example");
    await expect(post(url, { allowedCidrs: [], nameServers: [dns.address], timeoutMs: 3_000 })).rejects.toThrow(
      /target/,
    );
    expect(inner.calls).toEqual([]);
  });

  test("does not keep a name from being reached at its ordinary one", async () => {
    const hook = await startTarget(() => 204);
    const dns = await startNameServer({
      "mixed.example A": ["10.20.30.40"],
      "mixed.example AAAA": ["::ffff:127.0.0.1"],
    });
    const settings = { allowedCidrs: ["127.0.0.1/32"], nameServers: [dns.address] };
    await expect(post(hook.url("mixed.example"), settings)).resolves.toMatchObject({ status: 204 });
  });

  test("cannot be had by answering differently the second time (DNS rebinding)", async () => {
    const inner = await startTarget(() => 200);
    // 2d00::/8 is given out to nobody: ordinary by its form, and nobody is there.
    const answers = [["2d00::1"]];
    const dns = await startNameServer({
      get "rebinding.example AAAA"() {
        return answers.shift() ?? [];
      },
      get "rebinding.example A"() {
        return answers.length > 0 ? [] : ["127.0.0.1"];
      },
    });
    const url = inner.url("rebinding.example");
    const settings = { allowedCidrs: [], nameServers: [dns.address], timeoutMs: 3_000 };
    for (const attempt of [1, 2, 3]) {
      await expect(post(url, settings)).rejects.toThrow(/target/);
      // One question for each family and attempt: what was checked is what is connected to.
      expect(dns.questions).toHaveLength(2 * attempt);
    }
    expect(inner.calls).toEqual([]);
  });

  test("is reached if its range is allowed, under the name that was asked for", async () => {
    const inner = await startTarget(() => 204);
    const dns = await startNameServer({ "inner.example A": ["127.0.0.1"] });
    await expect(post(inner.url("inner.example"), { nameServers: [dns.address] })).resolves.toMatchObject({
      status: 204,
      retryAfter: undefined,
    });
    expect(inner.calls[0]?.headers).toMatchObject({ host: `inner.example:${inner.port}`, "x-test": "1" });
    await expect(post(inner.url("localhost"))).resolves.toMatchObject({ status: 204 });
  });
});

describe("a secure target", () => {
  test("is believed by its certificate for the name, and by nothing else", async () => {
    const { key, cert } = await testCertificate("hook.example");
    const hook = await startTarget(() => 200, { key, cert });
    const dns = await startNameServer({ "hook.example A": ["127.0.0.1"], "other.example A": ["127.0.0.1"] });
    const settings = { nameServers: [dns.address] };
    await expect(post(hook.url("hook.example"), settings)).rejects.toThrow(
      /No secure connection .* \(DEPTH_ZERO_SELF_SIGNED_CERT\)/,
    );
    const usual = getCACertificates("default");
    setDefaultCACertificates([...usual, cert]);
    stopAfterTest(async () => setDefaultCACertificates(usual));
    await expect(post(hook.url("hook.example"), settings)).resolves.toMatchObject({ status: 200 });
    await expect(post(hook.url("other.example"), settings)).rejects.toThrow(/ERR_TLS_CERT_ALTNAME_INVALID/);
    await expect(post(hook.url())).rejects.toThrow(/ERR_TLS_CERT_ALTNAME_INVALID/);
    expect(hook.calls).toHaveLength(1);
  });
});
