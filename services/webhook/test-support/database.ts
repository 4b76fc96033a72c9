import { type TestDatabase, testDatabase } from "../../../test/support/peers/database.ts";

/** A database as the service's migrations make it. */
export function webhookDatabase(): Promise<TestDatabase> {
  return testDatabase({ schema: "webhook", migrations: new URL("../migrations/", import.meta.url) });
}
