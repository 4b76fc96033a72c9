import type { Database } from "../platform/db/types.ts";
import { PollingTask } from "../platform/runtime/polling-task.ts";
import type { Sealer } from "../platform/security/sealing.ts";
import type { Logger } from "../platform/telemetry/logger.ts";
import type { AccountLifecycle } from "./accounts/account-lifecycle.ts";
import type { AccountLinks } from "./accounts/account-links.ts";
import type { Invitations } from "./accounts/invitations.ts";
import type { PendingSignUps } from "./accounts/pending-sign-ups.ts";
import type { ApiKeys } from "./api-keys/api-keys.ts";
import type { OperatorAudit } from "./operators/audit.ts";
import type { PasskeyChallenges } from "./passkeys/challenges.ts";
import type { Sessions } from "./sessions/sessions.ts";
import { resealBatch } from "./tokens/resealing.ts";
import type { TokenSigningKeys } from "./tokens/signing-keys.ts";
import type { WebhookSecrets } from "./tokens/webhook-secrets.ts";

const intervalMs = 10 * 60_000;

interface Dependencies {
  accountLifecycle: AccountLifecycle;
  apiKeys: ApiKeys;
  db: Database;
  sealer: Sealer;
  links: AccountLinks;
  invitations: Invitations;
  operatorAudit: OperatorAudit;
  passkeyChallenges: PasskeyChallenges;
  pendingSignUps: PendingSignUps;
  sessions: Sessions;
  signingKeys: TokenSigningKeys;
  webhookSecrets: WebhookSecrets;
  logger: Logger;
}

/** Ends expired sessions, rotates keys, deletes former secrets and re-encrypts under the current SECRET_KEY what the previous one sealed. */
export function housekeeping({
  accountLifecycle,
  apiKeys,
  db,
  sealer,
  links,
  invitations,
  operatorAudit,
  passkeyChallenges,
  pendingSignUps,
  sessions,
  signingKeys,
  webhookSecrets,
  logger,
}: Dependencies): PollingTask {
  return new PollingTask({
    name: "auth-housekeeping",
    intervalMs,
    logger,
    async run() {
      const hasMoreDisabled = await accountLifecycle.announceDisabled();
      const hasMoreSessions = await sessions.sweep();
      const hasMoreKeys = await apiKeys.sweep();
      const hasMoreActions = await operatorAudit.sweep();
      await signingKeys.rotate();
      await webhookSecrets.forgetFormer();
      await Promise.all([links.sweep(), invitations.sweep(), passkeyChallenges.sweep(), pendingSignUps.sweep()]);
      const resealed = await resealBatch(db, sealer);
      if (resealed > 0) logger.info({ rows: resealed }, "re-encrypted secrets under the current SECRET_KEY");
      return hasMoreDisabled || hasMoreSessions || hasMoreKeys || hasMoreActions || resealed > 0;
    },
  });
}
