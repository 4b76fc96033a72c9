import type { Command } from "./command.ts";
import { table } from "./table.ts";

/** What Helm runs before it upgrades: forward only, and safe while the release before still runs (CONTRIBUTING.md). */
export const migrate: Command = {
  name: "migrate",
  synopsis: "",
  sentence: "Brings every service's schema up to date, making what is not there; services do the same when they start.",
  words: { min: 0, max: 0 },
  async run(installation) {
    const schemas: { service: string; migrations: number; lastAppliedAt: string }[] = [];
    // A database is migrated as it is opened.
    for (const { service, db } of await installation.databases({ makes: true })) {
      const { rows } = await db.query<{ count: number; last: string }>(
        "select count(*)::int as count, max(applied_at) as last from schema_migration",
      );
      const [{ count, last } = { count: 0, last: "" }] = rows;
      schemas.push({ service, migrations: count, lastAppliedAt: new Date(last).toISOString() });
    }
    const rows = schemas.map(({ service, migrations, lastAppliedAt }) => [
      service,
      "up to date",
      `${migrations} migrations, the last applied ${lastAppliedAt}`,
    ]);
    return { json: schemas, lines: table(rows) };
  },
};
