import type { ServiceProcess } from "../../../scripts/fleet/service-process.ts";
import { call } from "../../support/http/rest-client.ts";

/** How many events a process has taken for a consumer since it started. */
export async function handledEvents(process: ServiceProcess, consumer: string): Promise<number> {
  const { text } = await call(`${process.options.healthUrl}/metrics`, "GET");
  return Number(new RegExp(`^postern_events_handled_total\\{consumer="${consumer}"\\} (\\d+)$`, "m").exec(text)?.[1]);
}
