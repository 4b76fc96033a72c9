import { accountCommands } from "./accounts.ts";
import { backup } from "./backup/backup.ts";
import { restore } from "./backup/restore.ts";
import type { Command } from "./command.ts";
import { deadCommands } from "./dead.ts";
import { deliveryCommands } from "./deliveries.ts";
import { dkimRotate } from "./dkim-rotate.ts";
import { dns } from "./dns.ts";
import { doctor } from "./doctor/doctor.ts";
import { domainCommands } from "./domains.ts";
import { migrate } from "./migrate.ts";
import { reconcile } from "./reconcile/reconcile.ts";
import { roundTrip } from "./round-trip.ts";
import { ruleCommands } from "./rules.ts";
import { sendingCommands } from "./sending.ts";
import { topics } from "./topics.ts";

/** All that an operator can ask for, in the order in which the usage lists it. */
export const commands: readonly Command[] = [
  ...accountCommands,
  ...deadCommands,
  ...deliveryCommands,
  ...domainCommands,
  ...ruleCommands,
  ...sendingCommands,
  dns,
  dkimRotate,
  doctor,
  migrate,
  topics,
  backup,
  restore,
  reconcile,
  roundTrip,
];
