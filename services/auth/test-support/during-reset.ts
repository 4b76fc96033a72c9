import { eventually } from "../../../test/support/eventually.ts";
import type { AuthUnderTest } from "./auth.ts";

const clientAddress = "192.0.2.1";

/** What somebody's password is reset to. */
export const resetPassword = "quite another sentence";

/**
 * What comes of something that is asked for while the reset of an account's password has ended what it ends, and is about to be
 * committed: it is, once what was asked for is answered, or waits for it.
 * @param code of the second factor, for the reset
 */
export async function duringReset<T>(
  auth: AuthUnderTest,
  username: string,
  ask: () => Promise<T>,
  code?: string,
): Promise<PromiseSettledResult<T>> {
  const request = `mutation ($username: String!) { requestPasswordReset(username: $username) { isAccepted } }`;
  await auth.ask(request, { username });
  await auth.sendMails();
  const token = await auth.linkToken(username, "reset");
  const { reset, outcome } = await auth.db.tx(async (tx) => {
    // The last thing that a reset changes.
    await tx.query("select from webhook_secret for update");
    const pending = auth.client.resetPassword({ token, password: resetPassword, code, clientAddress });
    await eventually(() => expectWaiting(auth, 1));
    let isAnswered = false;
    const asked = Promise.allSettled([ask()]).then(([settled]) => {
      isAnswered = true;
      return settled;
    });
    await eventually(() => (isAnswered ? undefined : expectWaiting(auth, 2)));
    return { reset: pending, outcome: asked };
  });
  await reset;
  return outcome;
}

async function expectWaiting(auth: AuthUnderTest, count: number): Promise<void> {
  const { rowCount } = await auth.db.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  if (rowCount !== count) throw new Error(`${rowCount} statements wait for a lock, not ${count}`);
}
