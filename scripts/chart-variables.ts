import { readFileSync, writeFileSync } from "node:fs";
import { hostConfig } from "../services/platform/runtime/host.ts";
import { loadAllServices } from "../services/targets.ts";

// Writes the variables that `config` of the chart takes into its values.schema.json; test/chart holds them against the code.

/** Set by values of their own, since more than a process depends on them, or since they are secret. */
const otherwiseSet =
  /^(HTTP_PORT|INTERNAL_PORT|SMTP_PORT|PUBLIC_URL|DATA_DIR|DATABASE_URL|REDIS_URL|SERVICE_DOMAIN|SERVICE_NAME|STOP_TIMEOUT_S|OUTBOUND|SMTP_PROXY_CIDRS|TRUSTED_PROXY_HOPS|[A-Z]+_DATABASE_URL|[A-Z]+_URL|(SECRET_KEY|S3_|KAFKA_|BOOTSTRAP_|SMTP_TLS_|INTERNAL_TLS_|OTEL_).*)$/;

const path = new URL("../charts/postern/values.schema.json", import.meta.url);

/** Exported for tests. */
export async function chartVariables(): Promise<string[]> {
  return Object.keys(hostConfig(await loadAllServices()))
    .filter((name) => !otherwiseSet.test(name))
    .sort();
}

if (import.meta.main) {
  const schema = JSON.parse(readFileSync(path, "utf8"));
  const form = { type: ["string", "number", "boolean"] };
  schema.$defs.config.properties = Object.fromEntries((await chartVariables()).map((name) => [name, form]));
  writeFileSync(path, `${JSON.stringify(schema, null, 2)}\n`);
}
