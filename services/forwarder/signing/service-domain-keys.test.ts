import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import type { TestDatabase } from "../../../test/support/peers/database.ts";
import { Sealer } from "../../platform/security/sealing.ts";
import { Secrets } from "../../platform/security/secrets.ts";
import { forwarderDatabase } from "../test-support/database.ts";
import { ServiceDomainKeys } from "./service-domain-keys.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await forwarderDatabase();
});
afterAll(() => db.dispose());

test("a successor signs once its time has come, and a clock that is behind leaves the first key to sign", async () => {
  const keys = new ServiceDomainKeys(db, new Sealer(new Secrets("a secret of tests"), "signing keys"), 14);
  await keys.start();
  const first = keys.current("rsa-sha256").selector;
  await keys.rotate(24);
  const hourMs = 3_600_000;
  const now = Date.now();
  const selectorAfter = (hours: number) => {
    jest.spyOn(Date, "now").mockReturnValue(now + hours * hourMs);
    return keys.current("rsa-sha256").selector;
  };
  expect([-1, 0, 25].map((hours) => selectorAfter(hours) === first)).toEqual([true, true, false]);
  jest.restoreAllMocks();
});
