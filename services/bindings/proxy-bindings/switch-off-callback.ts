import type { Database } from "../../platform/db/types.ts";

/** Removes a callback URL that answered 410, unless the owner has set another meanwhile. */
export async function switchOffCallback(db: Database, bindingId: string, callbackUrl: string): Promise<void> {
  if (callbackUrl === "" || callbackUrl.includes("\0")) return;
  await db.query(
    "update binding set callback_url = '', updated_at = clock_timestamp() where id = $1 and callback_url = $2",
    [bindingId, callbackUrl],
  );
}
