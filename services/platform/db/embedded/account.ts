import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { promisify } from "node:util";
import { ConfigurationError } from "../../errors.ts";

const run = promisify(execFile);

/** A system user by number. */
export interface Account {
  uid: number;
  gid: number;
}

/**
 * Who the server runs as. PostgreSQL refuses to run as root: then it is the owner of the data that is there,
 * else the user "postgres", which is made if there is none. Undefined: as ourselves.
 * @throws ConfigurationError if there is no such user and none can be made.
 */
export async function serverAccount(dataFolder: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(dataFolder).catch(() => undefined);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return (await lookUp("postgres")) ?? (await create("postgres"));
}

async function lookUp(name: string): Promise<Account | undefined> {
  const ask = async (option: string) => Number((await run("id", [option, name])).stdout);
  return Promise.all([ask("-u"), ask("-g")]).then(
    ([uid, gid]) => ({ uid, gid }),
    () => undefined,
  );
}

/** useradd is of most Linux systems, adduser of those with busybox. */
async function create(name: string): Promise<Account> {
  await run("useradd", ["--system", "--user-group", "--no-create-home", "--shell", "/bin/false", name]).catch(() =>
    run("adduser", ["-S", "-D", "-H", "-s", "/bin/false", name]).catch(() => undefined),
  );
  const account = await lookUp(name);
  if (account) return account;
  throw new ConfigurationError([
    `DATABASE_URL: is not set, and the embedded PostgreSQL cannot run as root: make a user "${name}", start as another user, or set DATABASE_URL`,
  ]);
}
