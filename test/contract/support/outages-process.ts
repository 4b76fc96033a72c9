// Runs two installations whose dependencies are stopped once they have worked; see test/support/run/run-server.ts.
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startEmbeddedPostgres } from "../../../services/platform/db/embedded.ts";
import { createLogger } from "../../../services/platform/telemetry/logger.ts";
import { eventually } from "../../support/eventually.ts";
import { makeBinding } from "../../support/http/rest-bindings.ts";
import { type Installation, startInstallation } from "../../support/installation/installation.ts";
import { sendMail } from "../../support/mail/send-mail.ts";
import { keep } from "../../support/run/run-server.ts";
import { everyServiceQuery } from "./every-service-query.ts";
import { messageWithAttachment } from "./messages.ts";
import type { BrokenInstallation, Outages } from "./outages.ts";

await keep(async (folder) => {
  const [servicesGone, databaseGone] = await Promise.all([fleetWithoutServices(), singleWithoutDatabase(folder)]);
  const told: Outages = {
    servicesGone: servicesGone.told,
    answerWithoutMail: servicesGone.answerWithoutMail,
    databaseGone: databaseGone.told,
  };
  return {
    address: JSON.stringify(told),
    stop: async () => void (await Promise.all([servicesGone.stop(), databaseGone.stop()])),
  };
});

/** A fleet of which only auth, rest and the gateway are left. */
async function fleetWithoutServices() {
  const installation = await startInstallation({ mode: "fleet" });
  const told = await prepare(installation);
  const mail = ["mailbox", "webhook", "forwarder", "ingress"] as const;
  await Promise.all(mail.map((service) => installation.process(service).stop()));
  const response = await fetch(`${installation.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", token: told.token },
    body: JSON.stringify({ query: everyServiceQuery }),
  });
  const answerWithoutMail: unknown = await response.json();
  await installation.process("bindings").stop();
  return { told, answerWithoutMail, stop: () => installation.dispose() };
}

/** One process, the PostgreSQL of which is stopped. */
async function singleWithoutDatabase(folder: string) {
  const logger = createLogger({ LOG_LEVEL: "silent", LOG_FORMAT: "json" });
  const server = await startEmbeddedPostgres({ dataDir: join(folder, "database"), logger });
  const installation = await startInstallation({ mode: "single", environment: { DATABASE_URL: server.url } });
  const told = await prepare(installation);
  await server.stop();
  // A token that was found good is known for a second more.
  await delay(1_500);
  return { told, stop: () => installation.dispose() };
}

/** Something for every endpoint to be asked about, all of it answered as long as nothing is stopped. */
async function prepare(installation: Installation): Promise<BrokenInstallation> {
  const rest = await installation.rest();
  const { id: bindingId, proxyAddress } = await makeBinding(rest, { is_browsable: true });
  await sendMail(installation.smtpPort, {
    envelope: { from: "ann@example.com", to: proxyAddress },
    raw: messageWithAttachment.replaceAll("\n", "\r\n"),
  });
  const link = await eventually(async () => {
    const links = await rest.get(`/api/v1/received-emails-links/${bindingId}`);
    const [found] = (links.body?.["data"] ?? []) as { attributes: { link: string } }[];
    if (!found) throw new Error("the email is not there yet");
    return found.attributes.link;
  });
  const details = await rest.get(link);
  const { pathname, search } = new URL(String(details.body?.["data"]?.["attributes"]?.["attachments"]?.[0]?.["url"]));
  const recorder = await rest.send("POST", "/api/v1/callback");
  return {
    url: installation.url,
    account: installation.account,
    token: rest.token,
    bearer: rest.bearer,
    bindingId,
    emailId: link.slice(link.lastIndexOf("/") + 1),
    attachmentPath: `${pathname}${search}`,
    recorder: String(recorder.body?.["id"]),
  };
}
