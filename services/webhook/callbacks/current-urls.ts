import type { bindingsContract } from "../../bindings/contract.ts";
import { Outage } from "../../platform/errors.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import { hostOf } from "../calls/call.ts";
import type { Callback } from "./callback.ts";

/** As many as bindings is asked for at once; what is beyond stays as it was, this time. */
const maxIds = 1_000;

/**
 * Callbacks with the URL that their binding has by now, "" for none, where one has failed before: its owner may have corrected the URL, or
 * taken it away. While bindings is out of reach, and where a binding is gone, they are as they were.
 */
export async function withCurrentUrls(
  bindings: Pick<Client<typeof bindingsContract>, "getMany">,
  callbacks: readonly Callback[],
): Promise<Callback[]> {
  const failed = callbacks.filter(({ attemptCount }) => attemptCount > 0);
  const byOwner = [...Map.groupBy(failed, ({ ownerId }) => ownerId)];
  const found = await Promise.all(byOwner.map(([ownerId, own]) => urlsOf(bindings, ownerId, own)));
  const urls = new Map(found.flat());
  return callbacks.map((callback) => {
    const url = callback.attemptCount > 0 ? (urls.get(callback.bindingId) ?? callback.url) : callback.url;
    return url === callback.url ? callback : { ...callback, url, host: hostOf(url) };
  });
}

async function urlsOf(
  bindings: Pick<Client<typeof bindingsContract>, "getMany">,
  ownerId: string,
  callbacks: readonly Callback[],
): Promise<[bindingId: string, url: string][]> {
  try {
    const ids = [...new Set(callbacks.map(({ bindingId }) => bindingId))].slice(0, maxIds);
    return (await bindings.getMany({ ownerId, ids })).map(({ id, callbackUrl }) => [id, callbackUrl]);
  } catch (error) {
    if (error instanceof Outage) return [];
    throw error;
  }
}
