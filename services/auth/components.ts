import type { Database } from "../platform/db/types.ts";
import { hourMs, hourS } from "../platform/durations.ts";
import type { Settings } from "../platform/runtime/settings.ts";
import type { Limits } from "../platform/security/rate-limits.ts";
import { Sealer } from "../platform/security/sealing.ts";
import type { Secrets } from "../platform/security/secrets.ts";
import type { Logger } from "../platform/telemetry/logger.ts";
import type { Metrics } from "../platform/telemetry/metrics.ts";
import { AccountLifecycle } from "./accounts/account-lifecycle.ts";
import { AccountLinks } from "./accounts/account-links.ts";
import { AccountMailer } from "./accounts/account-mailer.ts";
import { AccountSettings } from "./accounts/account-settings.ts";
import { Accounts } from "./accounts/accounts.ts";
import { Confirmations } from "./accounts/confirmations.ts";
import { CredentialRevocation } from "./accounts/credential-revocation.ts";
import { Invitations } from "./accounts/invitations.ts";
import { PasswordChanges } from "./accounts/password-changes.ts";
import { PasswordPolicy } from "./accounts/password-policy.ts";
import { Passwords } from "./accounts/passwords.ts";
import { PendingSignUps } from "./accounts/pending-sign-ups.ts";
import { SecurityNotices } from "./accounts/security-notices.ts";
import { SignUp } from "./accounts/sign-up.ts";
import { ApiKeys } from "./api-keys/api-keys.ts";
import { DeclaredKeys } from "./api-keys/declared-keys.ts";
import type { AuthConfig } from "./config.ts";
import { OperatorAudit } from "./operators/audit.ts";
import { Operators } from "./operators/operators.ts";
import { PasskeyChallenges } from "./passkeys/challenges.ts";
import { PasskeyStore } from "./passkeys/passkey-store.ts";
import { Passkeys } from "./passkeys/passkeys.ts";
import { SecondFactor } from "./second-factor/second-factor.ts";
import { SecondFactorReset } from "./second-factor/second-factor-reset.ts";
import { CredentialsInForce } from "./sessions/credentials-in-force.ts";
import { FreshProof } from "./sessions/fresh-proof.ts";
import { Sessions } from "./sessions/sessions.ts";
import { SignIn } from "./sessions/sign-in.ts";
import { SignInThrottle } from "./sessions/sign-in-throttle.ts";
import { ApiTokens } from "./tokens/api-tokens.ts";
import { TokenSigningKeys } from "./tokens/signing-keys.ts";
import { WebhookSecrets } from "./tokens/webhook-secrets.ts";

const throttleWindowS = 15 * 60;

/** Mails of one kind that an address is sent within an hour. */
const mailsPerHour = 5;

/** What auth is made of, for its procedures, its part of the graph and its tasks. */
export type AuthComponents = ReturnType<typeof authComponents>;

interface Context {
  config: AuthConfig;
  settings: Settings;
  db: Database;
  secrets: Secrets;
  limits: Limits;
  logger: Logger;
  metrics: Metrics;
}

/** Of all that auth seals. */
export const sealingPurpose = "auth";

export function authComponents(context: Context) {
  const { config, settings, db, limits, logger, metrics } = context;
  const sealer = new Sealer(context.secrets, sealingPurpose);
  const notices = new SecurityNotices(settings);
  const tokens = {
    apiKeys: new ApiKeys(db, notices),
    apiTokens: new ApiTokens(db, sealer),
    signingKeys: new TokenSigningKeys(db, sealer, config.SIGNING_KEY_ROTATION_D, logger),
    webhookSecrets: new WebhookSecrets(db, sealer),
  };
  const sessions = new Sessions(db, tokens.signingKeys, config.BEARER_LIFETIME_H * hourMs);
  const factors = factorComponents(context, sealer, notices);
  const passwords = new Passwords();
  const accounts = new Accounts(db, passwords, tokens.webhookSecrets);
  const throttle = new SignInThrottle(limits, config);
  const signIn = new SignIn({ accounts, passwords, sessions, throttle, logger, metrics, ...factors });
  const operatorAudit = new OperatorAudit(db);
  const accountLifecycle = new AccountLifecycle(db, tokens, operatorAudit);
  const revocation = new CredentialRevocation({ sessions, ...tokens });
  return {
    ...tokens,
    ...factors,
    ...accountComponents(context, { accounts, passwords, sessions, revocation, notices, ...factors }),
    sealer,
    sessions,
    passwords,
    accounts,
    signIn,
    declaredKeys: new DeclaredKeys(db, tokens.apiKeys),
    credentialsInForce: new CredentialsInForce(db),
    accountSettings: new AccountSettings(db),
    accountLifecycle,
    operatorAudit,
    operators: new Operators(db, accountLifecycle, operatorAudit),
    freshProof: new FreshProof({ db, signIn, ...factors }),
    secondFactorReset: new SecondFactorReset({ db, accounts, revocation, notices, audit: operatorAudit }),
  };
}

/** What signing in may take beside a password, or in place of it. */
function factorComponents({ config, settings, db, limits }: Context, sealer: Sealer, notices: SecurityNotices) {
  const passkeyStore = new PasskeyStore(db, notices);
  const passkeyChallenges = new PasskeyChallenges(db);
  const points = config.LIMIT_SECOND_FACTOR_PER_ACCOUNT;
  const attempts = limits.limit({ name: "second-factor", points, windowS: throttleWindowS });
  return {
    passkeyStore,
    passkeyChallenges,
    passkeys: new Passkeys(passkeyStore, passkeyChallenges, settings),
    secondFactor: new SecondFactor({ db, sealer, attempts, notices, issuer: settings.SERVICE_NAME }),
  };
}

interface AccountContext {
  accounts: Accounts;
  passwords: Passwords;
  sessions: Sessions;
  secondFactor: SecondFactor;
  revocation: CredentialRevocation;
  notices: SecurityNotices;
}

/** How accounts begin, and how their owners come to them again. */
function accountComponents({ config, settings, db, limits, logger }: Context, given: AccountContext) {
  const perHour = (name: string, points: number) => limits.limit({ name, points, windowS: hourS });
  const passwordPolicy = new PasswordPolicy(settings.SERVICE_NAME);
  const links = new AccountLinks(db, settings);
  const invitations = new Invitations(db);
  const pendingSignUps = new PendingSignUps(db);
  const mailLimit = perHour("account-mail", mailsPerHour);
  const mailer = new AccountMailer({ db, links, pendingSignUps, limit: mailLimit, settings, logger, ...given });
  const resetLimit = perHour("password-reset", config.LIMIT_PASSWORD_RESET_PER_ADDRESS);
  const signUpLimit = perHour("sign-up", config.LIMIT_SIGN_UP_PER_ADDRESS);
  const attemptLimit = perHour("confirmation-attempt", config.LIMIT_SIGN_UP_PER_ADDRESS);
  const confirming = { db, links, pendingSignUps, invitations, mailLimit, attemptLimit };
  const signingUp = { policy: config.SIGNUP, pendingSignUps, passwordPolicy, invitations, mailer, settings };
  return {
    links,
    invitations,
    pendingSignUps,
    mailer,
    passwordPolicy,
    signUp: new SignUp({ ...signingUp, limit: signUpLimit, ...given }),
    confirmations: new Confirmations({ ...confirming, ...given }),
    passwordChanges: new PasswordChanges({ db, policy: passwordPolicy, links, mailer, limit: resetLimit, ...given }),
  };
}
