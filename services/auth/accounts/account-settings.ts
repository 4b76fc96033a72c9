import { recordSet } from "../../platform/db/record-set.ts";
import type { Database } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { noSuchAccount } from "./account-row.ts";

const givenSettings = recordSet({ key: "text", value: "text" });

const maxKeys = 100;
/** Of a value in UTF-8, and of a key. */
const maxValueBytes = 1_000;
const maxKeyBytes = 100;

interface AccountSetting {
  key: string;
  value: string;
}

/** What programs keep with an account. */
export class AccountSettings {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** In the order of their keys. */
  async list(accountId: string): Promise<AccountSetting[]> {
    const { rows } = await this.#db.query<AccountSetting>(
      "select key, value from account_setting where account_id = $1 order by key",
      [accountId],
    );
    return rows;
  }

  /** Adds and changes; the others stay. @throws Refusal ValidationFailed, QuotaExceeded, NotFound */
  async change(accountId: string, settings: readonly AccountSetting[]): Promise<AccountSetting[]> {
    for (const setting of settings) check(setting);
    const byKey = new Map(settings.map(({ key, value }) => [key, value]));
    await this.#db.tx(async (tx) => {
      // Of two changes at once, the second sees how many the first left.
      const { rowCount } = await tx.query("select from account where id = $1 for update", [accountId]);
      if (rowCount === 0) throw noSuchAccount();
      await tx.query(
        `insert into account_setting (account_id, key, value) select $1, key, value from ${givenSettings.from("given", 2)}
         on conflict (account_id, key) do update set value = excluded.value`,
        [accountId, ...givenSettings.params([...byKey].map(([key, value]) => ({ key, value })))],
      );
      const { rows } = await tx.query<{ count: number }>(
        "select count(*) as count from account_setting where account_id = $1",
        [accountId],
      );
      if ((rows[0]?.count ?? 0) > maxKeys)
        throw new Refusal("QuotaExceeded", { public: `No more than ${maxKeys} settings are kept.` });
    });
    return this.list(accountId);
  }
}

function check({ key, value }: AccountSetting): void {
  const isText = (text: string) => text.isWellFormed() && !text.includes("\0");
  if (
    key === "" ||
    Buffer.byteLength(key) > maxKeyBytes ||
    Buffer.byteLength(value) > maxValueBytes ||
    !isText(key + value)
  )
    throw new Refusal("ValidationFailed", {
      field: "settings",
      public: `a key must have 1 to ${maxKeyBytes} bytes, and a value ${maxValueBytes} at most, without NUL.`,
    });
}
