import { expect } from "@jest/globals";
import { eventually } from "../../support/eventually.ts";
import { sendMail } from "../../support/mail/send-mail.ts";
import type { TestAccount } from "./accounts.ts";
import { type Made, madeBinding } from "./bindings.ts";
import { contractInstallation } from "./installation.ts";

export interface ReceivedEmail {
  binding: Made;
  emailId: string;
}

export const linksPath = "/api/v1/received-emails-links";
export const emailsPath = "/api/v1/received-emails";

/** Sends a message as it stands, its lines ended by LF, and waits until it is there to be read, and processed. */
export async function received(account: TestAccount, binding: Made, message: string): Promise<ReceivedEmail> {
  const { smtpPort } = await contractInstallation();
  const former = await linkIds(account, binding);
  await sendMail(smtpPort, {
    envelope: { from: "ann@example.com", to: binding.proxyAddress },
    raw: message.replaceAll("\n", "\r\n"),
  });
  return eventually(async () => {
    const emailId = (await linkIds(account, binding)).find((id) => !former.includes(id));
    expect(emailId).toBeDefined();
    return { binding, emailId: String(emailId) };
  });
}

/** A browsable binding that has received one message. */
export async function browsableEmail(account: TestAccount, message: string): Promise<ReceivedEmail> {
  return received(account, await madeBinding(account, { is_browsable: true }), message);
}

async function linkIds(account: TestAccount, { id }: Made): Promise<string[]> {
  const { body } = await account.ask("GET", `${linksPath}/${id}`);
  const processed = Object.values(body["data"] ?? {}).filter((each) => each?.["attributes"]?.["is_processed"]);
  return processed.map((each) => String(each?.["id"]));
}
