import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { groupFolders } from "../../scripts/containers/control-groups.ts";
import { offlinePlace } from "../../scripts/containers/places.ts";
import { compose, down, isUp, keptFolder, running, up } from "../../scripts/offline/stack.ts";
import { eventually } from "../support/eventually.ts";
import { makeBinding } from "../support/http/rest-bindings.ts";
import { restClient } from "../support/http/rest-client.ts";
import { emailIds, sendMail } from "../support/mail/send-mail.ts";
import type { Part, Step } from "../support/run/steps.ts";
import { answersEveryQuery, hasLoadedRules, scrapesEveryService } from "./monitoring.ts";
import { readTrace } from "./trace.ts";

const url = "http://127.0.0.1:8080";
const smtpPort = 2525;
/** As compose.yaml has it. */
const account = { username: "you@example.org", password: "postern-dev" };
const soon = { patienceMs: 60_000, restMs: 1_000 };
const say = (line: string) => process.stdout.write(`${line}\n`);

/** compose.yaml with compose.offline.yaml, raised for the test and taken away by it. */
export const offlineFleet: Part = {
  name: "offline",
  start: async () => {
    if (await isUp()) throw new Error("it runs already: npm run offline -- down");
    const links = await networkLinks();
    return { steps: stepsFrom(links), dispose: down };
  },
};

function stepsFrom(links: readonly string[]): Step[] {
  let emailId = "";
  return [
    ["up", () => up(say)],
    ["every container runs", everyContainerRuns],
    [
      "a mail comes in and is forwarded",
      async () => {
        emailId = await forwardsMail();
      },
    ],
    ["Jaeger has its trace", () => eventually(() => readTrace(emailId).then(say), soon)],
    ["Prometheus scrapes every service", () => eventually(scrapesEveryService, soon)],
    [
      "Prometheus has the rules, and evaluates each",
      () => eventually(hasLoadedRules, { ...soon, patienceMs: 150_000 }),
    ],
    ["Prometheus answers what the dashboards ask", () => eventually(() => answersEveryQuery().then(say), soon)],
    ["down leaves nothing", () => leavesNothing(links)],
  ];
}

async function everyContainerRuns(): Promise<void> {
  const lines = (await running()).trim().split("\n");
  const ended = lines.filter((line) => !/ Up /.test(line));
  if (ended.length > 0) throw new Error(`not running: ${ended.join("; ")}`);
  say(`${lines.length} containers`);
}

/** @returns the email's id */
async function forwardsMail(): Promise<string> {
  const rest = await restClient(url, account);
  const { proxyAddress } = await makeBinding(rest, { real_addresses: [account.username] });
  const subject = `without a registry ${Date.now()}`;
  const [id = ""] = emailIds(await sendMail(smtpPort, { to: proxyAddress, subject, text: "Is anybody there?" }));
  await eventually(async () => {
    const captured = await compose("exec", "--no-TTY", "forwarder", "sh", "-c", "cat /data/outbound/*.eml");
    if (!captured.includes(`Subject: ${subject}`)) throw new Error("it was not forwarded");
    if (!captured.includes(`X-Envelope-To: ${account.username}`)) throw new Error("it was forwarded to nobody");
  }, soon);
  return id;
}

async function leavesNothing(links: readonly string[]): Promise<void> {
  await down();
  const left = [
    ...((await isUp()) ? [offlinePlace.folder] : []),
    ...(await groupFolders(offlinePlace)),
    ...(await networkLinks()).filter((link) => !links.includes(link)),
    ...(await listed("containers")),
    // Beside volumes stands what Docker knows of them.
    ...(await listed("volumes")).filter((path) => basename(path).startsWith("postern_")),
  ];
  if (left.length > 0) throw new Error(`left behind: ${left.join(", ")}`);
}

const networkLinks = () => readdir("/sys/class/net");

async function listed(kind: string): Promise<string[]> {
  const folder = join(keptFolder, kind);
  return (await readdir(folder)).map((name) => join(folder, name));
}
