import { asSuperuser } from "../support/database.ts";

/** A way in which PostgreSQL goes on and takes no more writes. */
export interface RefusedWrites {
  name: string;
  begin(databaseUrl: string): Promise<void>;
  end(databaseUrl: string): Promise<void>;
}

/** Every insert and update meets what a full disk answers (SQLSTATE 53100, disk_full); to fill a real one takes a mount. */
const diskFull: RefusedWrites = {
  name: "a full disk",
  begin: async (url) => {
    await asSuperuser(
      url,
      `create function public.no_room() returns trigger language plpgsql as $$
         begin raise 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`,
    );
    await forEachTable(
      url,
      (table) => `create trigger no_room before insert or update on ${table} execute function public.no_room()`,
    );
  },
  end: async (url) => {
    await asSuperuser(url, "drop function public.no_room() cascade");
  },
};

/** As after a failover to a standby that was not promoted. */
const readOnly: RefusedWrites = {
  name: "a server that has become read-only",
  begin: async (url) => {
    await asSuperuser(url, "alter database postgres set default_transaction_read_only = on");
    await asSuperuser(url, "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()");
  },
  end: async (url) => {
    await asSuperuser(url, "begin read write; alter database postgres reset default_transaction_read_only; commit");
    await asSuperuser(url, "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()");
  },
};

export const refusedWrites: readonly RefusedWrites[] = [diskFull, readOnly];

/** Each by itself: all in one transaction would wait for services that wait for it. */
async function forEachTable(url: string, statementFor: (table: string) => string): Promise<void> {
  const tables = await asSuperuser<{ name: string }>(
    url,
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname !~ '^(pg_|information_schema)'",
  );
  for (const { name } of tables) await asSuperuser(url, statementFor(name));
}
