import type { FleetService } from "../../scripts/fleet/fleet.ts";
import type { Exercised } from "./exercise.ts";

/** Stops a service and starts it with other variables, as a rollout does. */
export async function restarted(
  { installation }: Exercised,
  service: FleetService,
  variables: NodeJS.ProcessEnv,
): Promise<void> {
  const process = installation.process(service);
  Object.assign(process.options.environment, variables);
  await process.stop();
  process.start();
  await process.ready();
}
