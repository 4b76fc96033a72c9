import { type TestDatabase, testDatabase } from "../../../test/support/peers/database.ts";

/** A database as the service's migrations make it. */
export function authDatabase(): Promise<TestDatabase> {
  return testDatabase({ schema: "auth", migrations: new URL("../migrations/", import.meta.url) });
}
