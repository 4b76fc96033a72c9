import { readFile, writeFile } from "node:fs/promises";
import { describeConfig } from "../services/platform/config.ts";
import { hostConfig } from "../services/platform/runtime/host.ts";
import { loadAllServices } from "../services/targets.ts";

const page = new URL("../docs/configuration.md", import.meta.url);
const begin = "<!-- configuration: made by `npm run configuration-table` -->";
const end = "<!-- end of configuration -->";

/** The parts of the page, in their order. A variable stands under the first topic that matches its name. */
const topics: readonly { readonly heading: string; readonly names: RegExp }[] = [
  { heading: "The installation", names: /^(PUBLIC_URL|SERVICE_.*|DATA_DIR|SECRET_KEY.*|STOP_TIMEOUT_S)$/ },
  { heading: "Calls between services, TLS", names: /^(INTERNAL_|RPC_)/ },
  { heading: "Stores: PostgreSQL, S3, Redis", names: /^(.*DATABASE_.*|S3_.*|MESSAGE_FILES|REDIS_URL)$/ },
  { heading: "Events: Kafka", names: /^KAFKA_/ },
  { heading: "Telemetry", names: /^(OTEL|LOG)_/ },
  { heading: "HTTP and GraphQL", names: /^(HTTP_PORT|REQUEST_TIMEOUT_S|TRUSTED_PROXY_HOPS|CORS_ORIGINS|GRAPH_.*)$/ },
  {
    heading: "Accounts and sign-in",
    names: /^(BEARER_.*|SIGNING_KEY_.*|LIMIT_SIGN_.*|LIMIT_SECOND_.*|LIMIT_PASSWORD_.*|SIGNUP|BOOTSTRAP_.*)$/,
  },
  {
    heading: "Mail in",
    names: /^(SMTP_.*|ARC_.*|DMARC_.*|LIMIT_CLIENT_.*|LIMIT_BINDING_.*|LIMIT_EXEMPT_.*|OPERATOR_ADDRESS|RAW_.*)$/,
  },
  { heading: "Mail that is kept", names: /^(RETENTION_DAYS|MAILBOX_.*|PAYLOAD_.*|QUOTA_STORAGE_.*|ATTACHMENT_.*)$/ },
  { heading: "Mail out", names: /^(OUTBOUND.*|MX_.*|FORWARD_.*|DKIM_.*|SPF_.*|COMPLAINTS_.*|MAIL_HOSTS|DNS_SERVERS)$/ },
  { heading: "Callbacks and recorders", names: /^(CALLBACK_.*|QUOTA_RECORD.*)$/ },
  {
    heading: "Addresses, domains and answers: quotas and limits",
    names: /^(QUOTA_.*|AUTOMATIC_BINDING|LIMIT_VERIFICATION_.*|LIMIT_SENT_.*|LIMIT_NEW_.*|SENDING.*)$/,
  },
];

type Variable = ReturnType<typeof describeConfig>[number];

/** Every variable of an installation as Markdown tables by topic, from the definitions that check them. */
async function configurationTables(): Promise<string> {
  const byHeading = Map.groupBy(describeConfig(hostConfig(await loadAllServices())), ({ name }) => headingOf(name));
  return topics.map(({ heading }) => `## ${heading}\n\n${tableOf(byHeading.get(heading) ?? [])}\n`).join("\n");
}

/** @throws Error for a variable of no topic */
function headingOf(name: string): string {
  const topic = topics.find(({ names }) => names.test(name));
  if (!topic)
    throw new Error(`${name} belongs to no topic of docs/configuration.md: add it in scripts/configuration-table.ts`);
  return topic.heading;
}

function tableOf(variables: readonly Variable[]): string {
  const rows = variables.map(
    ({ name, form, unset, sentence }) => `| \`${name}\` | ${sentence} | ${form} | ${unset === "" ? "" : cell(unset)} |`,
  );
  return ["| variable | meaning | form | default |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

/** docs/configuration.md with its tables as the code has them. @throws Error when it has no place for one. Exported for tests. */
export async function pageWithTable(): Promise<{ current: string; renewed: string }> {
  const current = await readFile(page, "utf8");
  const [before, rest] = current.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`docs/configuration.md lacks ${begin} or ${end}`);
  return { current, renewed: `${before}${begin}\n${await configurationTables()}\n${end}${after}` };
}

if (import.meta.main) {
  const { current, renewed } = await pageWithTable();
  if (renewed !== current) await writeFile(page, renewed);
}
