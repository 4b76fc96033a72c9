import { beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { makeBinding } from "../support/http/rest-bindings.ts";
import type { Document, RestClient } from "../support/http/rest-client.ts";
import type { SharedInstallation } from "../support/installation/shared-installation.ts";
import { sendMail } from "../support/mail/send-mail.ts";
import { plainInstallation } from "./support/installation.ts";

let installation: SharedInstallation;
let rest: RestClient;

beforeAll(async () => {
  installation = await plainInstallation();
  rest = await installation.rest();
});

/** The details of the only email of a binding, once it is processed. */
async function onlyEmail(bindingId: string): Promise<Document> {
  return eventually(async () => {
    const links = await rest.get(`/api/v1/received-emails-links/${bindingId}`);
    expect(links.body?.["data"]).toHaveLength(1);
    const link = links.body?.["data"]?.[0]?.["attributes"];
    expect(link?.["is_processed"]).toBe(true);
    const details = await rest.get(String(link?.["link"]));
    expect(details.status).toBe(200);
    return details.body?.["data"]?.["attributes"] as Document;
  });
}

test("text, HTML, attachments and names beyond ASCII are there to be read", async () => {
  const { id, proxyAddress } = await makeBinding(rest, {
    is_browsable: true,
    real_addresses: [installation.account.username],
  });
  const content = Buffer.from([0, 255, 1, 254, 13, 10, 46, 13, 10]);
  await sendMail(installation.smtpPort, {
    from: "Änne Müller <aenne@example.com>",
    to: proxyAddress,
    subject: "Grüße aus 東京 🎉",
    text: "Schöne Grüße",
    html: "<p>Schöne <b>Grüße</b></p>",
    attachments: [
      { filename: "Übersicht – 東京.bin", content },
      { filename: "note.txt", content: "two\nlines" },
    ],
  });
  const email = await onlyEmail(id);
  expect(email["subject"]).toBe("Grüße aus 東京 🎉");
  expect(email["recipient_email"]).toBe(proxyAddress);
  expect(email["sender_email"]).toBe("aenne@example.com");
  const payload = email["payload"] as Document;
  expect(payload["Subject"]).toBe("Grüße aus 東京 🎉");
  expect(payload["body-plain"]).toContain("Schöne Grüße");
  expect(payload["body-html"]).toContain("<b>Grüße</b>");
  expect(payload["recipient"]).toBe(proxyAddress);
  expect(payload["sender"]).toBe("aenne@example.com");
  expect(JSON.parse(String(payload["message-headers"]))).toEqual(
    expect.arrayContaining([["Subject", expect.any(String)]]),
  );
  const attachments = email["attachments"] as Document[];
  expect(attachments.map((each) => each["filename"])).toEqual(["Übersicht – 東京.bin", "note.txt"]);
  const download = await fetch(String(attachments[0]?.["url"]));
  expect(download.status).toBe(200);
  expect(Buffer.from(await download.arrayBuffer())).toEqual(content);
  expect(download.headers.get("content-disposition")).toContain("attachment");
  const forged = String(attachments[0]?.["url"]).replace(/signature=.{4}/, "signature=AAAA");
  expect((await fetch(forged)).status).toBe(403);
});

test("of HTML alone the text is made, of text alone the HTML", async () => {
  const { id, proxyAddress } = await makeBinding(rest, { is_browsable: "true" });
  await sendMail(installation.smtpPort, { to: proxyAddress, subject: "html only", html: "<p>Only <i>this</i></p>" });
  const payload = (await onlyEmail(id))["payload"] as Document;
  expect(payload["body-plain"]).toContain("Only");
  expect(payload["attachments"]).toBeNull();
});

test("a binding that is not browsable shows nothing, and neither does a removed email", async () => {
  const hidden = await makeBinding(rest, { is_browsable: false });
  const refused = await rest.get(`/api/v1/received-emails-links/${hidden.id}`);
  expect(refused.status).toBe(403);
  expect(refused.body?.["data"]?.["attributes"]?.["exception"]).toBe("NotBrowsable");
  const { id, proxyAddress } = await makeBinding(rest, { is_browsable: 1 });
  await sendMail(installation.smtpPort, { to: proxyAddress, subject: "to be removed", text: "x" });
  await onlyEmail(id);
  const links = await rest.get(`/api/v1/received-emails-links/${id}`);
  const path = `/api/v1/received-emails/${links.body?.["data"]?.[0]?.["id"]}`;
  expect((await rest.send("DELETE", path)).status).toBe(204);
  expect((await rest.get(path)).status).toBe(404);
  expect((await rest.get(`/api/v1/received-emails-links/${id}`)).body?.["data"]).toEqual([]);
});
