import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CommandResult, run } from "../../../services/admin/run.ts";
import { loadAllServices } from "../../../services/targets.ts";
import { emptyDatabase } from "../../support/peers/database.ts";

/** The operator's command in this process, over a database and a folder of its own. */
export interface Operator {
  readonly databaseUrl: string;
  readonly dataDir: string;
  admin(words: string, more?: Readonly<Record<string, string>>): Promise<CommandResult>;
  /** What it answers with --json. */
  json(words: string): Promise<ReturnType<typeof JSON.parse>>;
  dispose(): Promise<void>;
}

export async function operator(): Promise<Operator> {
  const { url: databaseUrl, dispose: drop } = await emptyDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), "postern-admin-"));
  const environment = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, SERVICE_DOMAIN: "proxy.example" };
  const services = await loadAllServices();
  const admin = (words: string, more: Readonly<Record<string, string>> = {}) =>
    run(words.split(" ").filter(Boolean), services, { ...environment, ...more });
  return {
    databaseUrl,
    dataDir,
    admin,
    json: async (words) => JSON.parse((await admin(`${words} --json`)).answer),
    dispose: async () => {
      await drop();
      await rm(dataDir, { recursive: true });
    },
  };
}
