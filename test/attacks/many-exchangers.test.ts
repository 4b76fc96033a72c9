import { expect, test } from "@jest/globals";
import { mxTransport } from "../../services/forwarder/test-support/mx-transport.ts";
import { outgoing } from "../../services/forwarder/test-support/outbound-message.ts";
import { acceptAll, ScriptedServer } from "../support/mail/scripted-server.ts";

// Each mail to a domain whose owner lists exchangers without number would have us ask for the addresses of all of them, of whosever name server.

test("of a domain with many exchangers those that it prefers are asked for, and few of them", async () => {
  const others = Array.from({ length: 40 }, (_, index) => `${index + 20} mx${index}.victim.example`);
  const server = await ScriptedServer.start(acceptAll({}));
  const zone = { "inbox.example MX": [...others, "10 good.example"], "good.example A": ["127.0.0.1"] };
  const { mx, names } = await mxTransport({ port: server.port, zone });
  try {
    const sent = await mx.send(outgoing(undefined, { recipient: "real@inbox.example" }));
    expect(sent).toMatchObject({ kind: "delivered", remote: "good.example[127.0.0.1]" });
    const asked = new Set(names.questions.map((question) => question.split(" ")[0]));
    expect([...asked].filter((name) => /^mx\d+\.victim\.example$/.test(name ?? ""))).toHaveLength(9);
  } finally {
    await mx.close();
    await server.stop();
    await names.stop();
  }
});
