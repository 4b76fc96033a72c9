import { get } from "node:http";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../../support/eventually.ts";
import { makeBinding } from "../../support/http/rest-bindings.ts";
import { call, type RestClient, restClient } from "../../support/http/rest-client.ts";
import type { Installation } from "../../support/installation/installation.ts";
import { emailIds, sendMail } from "../../support/mail/send-mail.ts";
import { AttackedInstallation, password } from "../support/accounts.ts";

// An operator disables an account for what is done with it. What was begun before, and what needs no credentials, must end too.

let attacked: AttackedInstallation;
let installation: Installation;
let username: string;
let theirs: RestClient;

beforeAll(async () => {
  attacked = await AttackedInstallation.start();
  installation = attacked.installation;
  ({ username } = await attacked.owner());
  theirs = await restClient(installation.url, { username, password });
}, 200_000);
afterAll(() => attacked?.dispose());

/** A connection of server-sent events that is open; what comes when it ends. */
async function listening(): Promise<{ ended: Promise<void> }> {
  const opened = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  get(`${installation.url}/events`, { headers: { token: theirs.token } }, (answer) => {
    expect(answer.statusCode).toBe(200);
    answer.resume().once("close", () => ended.resolve());
    opened.resolve();
  }).once("error", opened.reject);
  await opened.promise;
  return { ended: ended.promise };
}

/** The signed link to an attachment that has just come. */
async function attachmentLink(proxyAddress: string): Promise<string> {
  const attachments = [{ filename: "spoils.txt", content: "spoils" }];
  const [emailId = ""] = emailIds(
    await sendMail(installation.smtpPort, { to: proxyAddress, subject: "x", text: "x", attachments }),
  );
  return eventually(async () => {
    const { body } = await theirs.get(`/api/v1/received-emails/${emailId}`);
    const url = body?.["data"]?.["attributes"]?.["attachments"]?.[0]?.["url"];
    if (!url) throw new Error("the attachment is not there yet");
    return String(url);
  });
}

test("mail, sessions, live events, recorders and signed links end within seconds", async () => {
  const { proxyAddress } = await makeBinding(theirs, { real_addresses: [username], is_browsable: true });
  const recorder = (await theirs.send("POST", "/api/v1/callback")).body ?? {};
  const callUrl = String((recorder as Record<string, unknown>)["call_url"]);
  const link = await attachmentLink(proxyAddress);
  const { ended } = await listening();
  const statusOf = async (method: string, url: string) => (await call(url, method)).status;
  expect(await Promise.all([statusOf("POST", callUrl), statusOf("GET", link)])).toEqual([200, 200]);

  await attacked.operator.disableAccount({ username });
  await ended;
  await eventually(async () =>
    expect(await Promise.all([statusOf("POST", callUrl), statusOf("GET", link)])).toEqual([404, 404]),
  );
  expect((await theirs.get("/api/v1/proxy-bindings")).status).toBe(403);
  const bearer = { authorization: `Bearer ${theirs.bearer}` };
  expect((await call(`${installation.url}/api/v1/api-token`, "GET", undefined, bearer)).status).toBe(401);
  const sent = () => sendMail(installation.smtpPort, { to: proxyAddress, subject: "x", text: "x" });
  await eventually(() => expect(sent()).rejects.toThrow("550 5.2.1"));
});
