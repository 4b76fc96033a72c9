import { createHash } from "node:crypto";
import { eventually } from "../../support/eventually.ts";
import type { Installation } from "../../support/installation.ts";
import { makeBinding } from "../../support/rest-bindings.ts";
import { call } from "../../support/rest-client.ts";
import { emailIds, sendMail } from "../../support/send-mail.ts";

/** An account with some life in it, and where to look at it. */
export interface Scene {
  installation: Installation;
  bindingId: string;
  proxyAddress: string;
  emailId: string;
  recorderId: string;
}

/** A red square of 24 pixels. */
const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAABgAAAAYCAIAAABvFaqvAAAAH0lEQVR42mM4YaBBFcQwatCoQaMGjRo0atCoQQNvEABQ3YgfY07AewAAAABJRU5ErkJggg==",
  "base64",
);

const html = `<html><head><style>h2 { color: #205080 } td { padding: 6px 10px; border: 1px solid #ccd }</style></head><body>
<div style="max-width: 36em; margin: auto; font-family: Georgia, serif">
<h2>Your order is on its way</h2><p>Dear customer, <b>thank you</b> for your order.</p>
<table style="border-collapse: collapse"><tr><td>Tea, Darjeeling</td><td>12.50</td></tr><tr><td>Pot</td><td>31.00</td></tr></table>
<p><img src="cid:sign" width="24" height="24" alt="A red square"> <a href="https://shop.example/order/42">See your order</a></p>
<p><img src="https://tracker.example/open.gif" alt=""></p></div></body></html>`;

/** Fills the bootstrap account: addresses of every kind, mail with HTML and attachments, a recorder that was called. */
export async function populate(installation: Installation): Promise<Scene> {
  const rest = await installation.rest();
  const recorder = (await rest.send("POST", "/api/v1/callback", [])).body;
  const callUrl = String(recorder?.["call_url"]);
  await call(callUrl, "POST", { hello: "world", list: [1, 2, 3] });
  await makeBinding(rest, { real_addresses: ["later@example.net"], description: "Newsletters" });
  await makeBinding(rest, {
    description: "Only for the warehouse's program",
    callback_url: "https://warehouse.example/hook",
  });
  const { id: bindingId, proxyAddress } = await makeBinding(rest, {
    real_addresses: [installation.account.username, "partner@example.net"],
    description: "The tea shop",
    callback_url: callUrl,
    is_browsable: true,
  });
  await sendMail(installation.smtpPort, { to: proxyAddress, subject: "Welcome", text: "Good that you are here." });
  await sendMail(installation.smtpPort, { to: proxyAddress, subject: "Ihre Bestellung · ご注文", text: "Danke!" });
  const answer = await sendMail(installation.smtpPort, {
    from: "Tea Shop <orders@shop.example>",
    to: proxyAddress,
    subject: "Your order is on its way",
    html,
    text: "Your order is on its way.",
    attachments: [
      { filename: "sign.png", content: picture, cid: "sign" },
      {
        filename: "Rechnung März.pdf",
        content: createHash("sha512").update("pdf").digest(),
        contentType: "application/pdf",
      },
    ],
  });
  const [emailId = ""] = emailIds(answer);
  await eventually(async () => {
    const link = await rest.get(`/api/v1/received-emails/${emailId}`);
    if (!link.body?.["data"]?.["attributes"]?.["is_processed"]) throw new Error("the mail is still on its way");
  });
  return { installation, bindingId, proxyAddress, emailId, recorderId: String(recorder?.["id"]) };
}
