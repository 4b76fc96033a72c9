import { Sealer } from "../platform/security/sealing.ts";
import { defineService } from "../platform/service.ts";
import { AccountLifecycle } from "./accounts/account-lifecycle.ts";
import { AccountLinks } from "./accounts/account-links.ts";
import { Accounts } from "./accounts/accounts.ts";
import { Bootstrap, bootstrapCredentials } from "./accounts/bootstrap.ts";
import { Confirmations } from "./accounts/confirmations.ts";
import { Invitations } from "./accounts/invitations.ts";
import { PasswordChanges } from "./accounts/password-changes.ts";
import { PasswordPolicy } from "./accounts/password-policy.ts";
import { Passwords } from "./accounts/passwords.ts";
import { SignUp } from "./accounts/sign-up.ts";
import { authConfig } from "./config.ts";
import { authContract } from "./contract.ts";
import { authSubgraph } from "./graph/resolvers.ts";
import { housekeeping } from "./housekeeping.ts";
import { PasskeyChallenges } from "./passkeys/challenges.ts";
import { PasskeyStore } from "./passkeys/passkey-store.ts";
import { Passkeys } from "./passkeys/passkeys.ts";
import { authProcedures } from "./procedures.ts";
import { SecondFactor } from "./second-factor/second-factor.ts";
import { FreshProof } from "./sessions/fresh-proof.ts";
import { Sessions } from "./sessions/sessions.ts";
import { SignIn } from "./sessions/sign-in.ts";
import { SignInThrottle } from "./sessions/sign-in-throttle.ts";
import { ApiTokens } from "./tokens/api-tokens.ts";
import { SigningKeys } from "./tokens/signing-keys.ts";
import { WebhookSecrets } from "./tokens/webhook-secrets.ts";

const hourMs = 3_600_000;
/** Links of one kind that an account is sent within an hour. */
const mailsPerHour = 5;

/** Accounts, passwords, second factor, bearer and API tokens, webhook secrets. */
export const auth = defineService({
  name: "auth",
  config: authConfig,
  needs: {},
  contract: authContract,
  migrations: new URL("./migrations/", import.meta.url),
  build({ config, settings, db, secrets, limits, logger, metrics }) {
    const bootstrapAccount = bootstrapCredentials(config);
    const sealer = new Sealer(secrets, "auth");
    const passwords = new Passwords();
    const webhookSecrets = new WebhookSecrets(db, sealer);
    const apiTokens = new ApiTokens(db, sealer);
    const accounts = new Accounts(db, passwords, webhookSecrets);
    const signingKeys = new SigningKeys(db, sealer, config.SIGNING_KEY_ROTATION_D, logger);
    const sessions = new Sessions(db, signingKeys, config.BEARER_LIFETIME_H * hourMs);
    const attempts = limits.limit({
      name: "second-factor",
      points: config.LIMIT_SECOND_FACTOR_PER_ACCOUNT,
      windowS: 15 * 60,
    });
    const secondFactor = new SecondFactor(db, sealer, attempts, settings.SERVICE_NAME);
    const passkeyStore = new PasskeyStore(db);
    const passkeyChallenges = new PasskeyChallenges(db);
    const passkeys = new Passkeys(passkeyStore, passkeyChallenges, settings);
    const signIn = new SignIn({
      accounts,
      passwords,
      passkeys,
      sessions,
      secondFactor,
      throttle: new SignInThrottle(limits, config),
      logger,
      metrics,
    });
    const links = new AccountLinks(db, settings);
    const passwordPolicy = new PasswordPolicy(settings.SERVICE_NAME);
    const mailLimit = (name: string) => limits.limit({ name, points: mailsPerHour, windowS: 3_600 });
    const invitations = new Invitations(db);
    const signUp = new SignUp({
      policy: config.SIGNUP,
      accounts,
      invitations,
      links,
      passwordPolicy,
      limit: limits.limit({ name: "sign-up", points: config.LIMIT_SIGN_UP_PER_ADDRESS, windowS: 3_600 }),
      settings,
    });
    const parts = {
      accountLifecycle: new AccountLifecycle(db, apiTokens),
      accounts,
      apiTokens,
      confirmations: new Confirmations(db, accounts, links, mailLimit("confirmation")),
      freshProof: new FreshProof({ db, passkeys, signIn }),
      invitations,
      passkeyStore,
      links,
      passkeys,
      passwordChanges: new PasswordChanges({
        db,
        accounts,
        passwords,
        policy: passwordPolicy,
        sessions,
        links,
        limit: mailLimit("password-reset"),
      }),
      secondFactor,
      sessions,
      signIn,
      signUp,
      signingKeys,
      webhookSecrets,
    };
    return {
      procedures: authProcedures(parts),
      subgraph: authSubgraph(parts),
      tasks: [housekeeping({ db, sealer, passkeyChallenges, ...parts, logger })],
      async start() {
        await signingKeys.rotate();
        if (bootstrapAccount) await new Bootstrap(db, accounts, passwords, logger).ensure(bootstrapAccount);
      },
    };
  },
});
