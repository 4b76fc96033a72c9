import { createHash } from "node:crypto";
import { freePorts } from "../../../scripts/peers/free-ports.ts";
import { eventually } from "../../support/eventually.ts";
import { makeBinding } from "../../support/http/rest-bindings.ts";
import { call } from "../../support/http/rest-client.ts";
import type { SharedInstallation } from "../../support/installation/shared-installation.ts";
import { emailIds, sendMail } from "../../support/mail/send-mail.ts";
import { linkTo, somebody } from "./people.ts";

/** An account with some life in it, and where to look at it. */
export interface WebInstallation {
  installation: SharedInstallation;
  bindingId: string;
  proxyAddress: string;
  emailId: string;
  recorderId: string;
  /** The paths of links in mail that nobody has opened yet. */
  links: { confirm: string; verify: string; reset: string };
}

/** What its installation is told: by a name, so that there are passkeys, and with nothing made by itself. */
export async function webEnvironment(): Promise<Record<string, string>> {
  const [port = 0] = await freePorts(1);
  return { HTTP_PORT: String(port), PUBLIC_URL: `http://localhost:${port}`, AUTOMATIC_BINDING: "false" };
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
export async function populate(installation: SharedInstallation): Promise<WebInstallation> {
  const rest = await installation.rest();
  const recorder = (await rest.send("POST", "/api/v1/callback", [])).body;
  const callUrl = String(recorder?.["call_url"]);
  await call(callUrl, "POST", { hello: "world", list: [1, 2, 3] });
  await rest.send("PUT", "/api/postern/v1/webhook", { url: callUrl });
  await makeBinding(rest, { real_addresses: ["later@example.net"], description: "Newsletters" });
  const warehouse = await makeBinding(rest, {
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
  await sendMail(installation.smtpPort, {
    to: warehouse.proxyAddress,
    subject: "Stock",
    text: "Nobody answers there.",
  });
  const answer = await sendMail(installation.smtpPort, {
    from: "Tea Shop <orders@shop.example>",
    to: proxyAddress.replace("@", "+order@"),
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
  const recorderId = String(recorder?.["id"]);
  return { installation, bindingId, proxyAddress, emailId, recorderId, links: await openLinks(installation) };
}

async function openLinks(installation: SharedInstallation): Promise<WebInstallation["links"]> {
  const { username, password } = somebody();
  const ask = (query: string) => call(`${installation.url}/graphql`, "POST", { query });
  await ask(`mutation { signUp(username: "${username}", password: "${password}") { expiresAt } }`);
  await ask(`mutation { requestPasswordReset(username: "${installation.account.username}") { isAccepted } }`);
  const pathOf = async (address: string, page: "confirm" | "verify" | "reset") =>
    new URL(await linkTo(installation, address, page)).pathname;
  return {
    confirm: await pathOf(username, "confirm"),
    verify: await pathOf("partner@example.net", "verify"),
    reset: await pathOf(installation.account.username, "reset"),
  };
}
