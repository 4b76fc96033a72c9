import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../../support/eventually.ts";
import { makeBinding } from "../../support/http/rest-bindings.ts";
import { type Installation, startInstallation } from "../../support/installation/installation.ts";
import { sendMail } from "../../support/mail/send-mail.ts";
import { asSuperuser } from "../../support/peers/database.ts";

let installation: Installation;

beforeAll(async () => {
  installation = await startInstallation({ environment: { FORWARD_RETRY_S: "1" } });
});
afterAll(() => installation?.dispose());

interface Waiting {
  state: string;
  attempts: unknown[];
  isPutOff: boolean;
}

test("while captured mail cannot be written it waits, and that is no failure of its recipient", async () => {
  const rest = await installation.rest();
  const { proxyAddress } = await makeBinding(rest, { real_addresses: [installation.account.username] });
  const folder = join(installation.dataDir, "outbound");
  // A file in its place: for root, too, that is no folder to write to.
  await rm(folder, { recursive: true, force: true });
  await writeFile(folder, "in the way");
  await sendMail(installation.smtpPort, { to: proxyAddress, subject: "patience", text: "x" });
  const url = await installation.databaseUrl();
  await eventually(async () => {
    const deliveries = await asSuperuser<Waiting>(
      url,
      `select state, attempts, lease_until is null and due_at > received_at + interval '3 s' as is_put_off from forwarder.delivery where email_id is not null`,
    );
    expect(deliveries).toEqual([{ state: "waiting", attempts: [], isPutOff: true }]);
  });
  await rm(folder);
  await eventually(async () => {
    const left = (await installation.outbound()).filter(({ message }) => message.includes("patience"));
    expect(left.map(({ envelopeTo }) => envelopeTo)).toEqual([installation.account.username]);
  });
});
