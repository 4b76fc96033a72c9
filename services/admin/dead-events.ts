import { type DeadEvent, listDeadEvents, resend } from "../platform/events/dead.ts";
import type { Installation } from "./installation.ts";

export type DeadEventOfService = DeadEvent & { service: string };

const pageSize = 1_000;

/** The dead events of every service, each service's oldest first. */
export async function allDeadEvents(installation: Installation): Promise<DeadEventOfService[]> {
  const all: DeadEventOfService[] = [];
  for (const { service, db } of await installation.databases()) {
    let page: DeadEvent[];
    do {
      page = await listDeadEvents(db, {
        limit: pageSize,
        after: all.findLast((event) => event.service === service)?.id,
      });
      all.push(...page.map((event) => ({ service, ...event })));
    } while (page.length === pageSize);
  }
  return all;
}

/** Asks for dead events to be sent again. An id tells nothing of its service: each is asked. Gives the ids that are there. */
export async function resendEach(installation: Installation, ids: readonly string[]): Promise<string[]> {
  const asked: string[] = [];
  for (const { db } of await installation.databases()) asked.push(...(await resend(db, ids)));
  return asked;
}
