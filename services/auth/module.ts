import { Sealer } from "../platform/security/sealing.ts";
import { defineService } from "../platform/service.ts";
import { AccountLinks } from "./account-links.ts";
import { Accounts } from "./accounts.ts";
import { ApiTokens } from "./api-tokens.ts";
import { Bootstrap, bootstrapCredentials } from "./bootstrap.ts";
import { authConfig } from "./config.ts";
import { Confirmations } from "./confirmations.ts";
import { authContract } from "./contract.ts";
import { housekeeping } from "./housekeeping.ts";
import { Invitations } from "./invitations.ts";
import { KeptPasskeys } from "./kept-passkeys.ts";
import { PasskeyChallenges } from "./passkey-challenges.ts";
import { Passkeys } from "./passkeys.ts";
import { PasswordChanges } from "./password-changes.ts";
import { Passwords } from "./passwords.ts";
import { authSubgraph } from "./resolvers.ts";
import { authRouter } from "./router.ts";
import { SecondFactor } from "./second-factor.ts";
import { Sessions } from "./sessions.ts";
import { SignIn } from "./sign-in.ts";
import { SignInThrottle } from "./sign-in-throttle.ts";
import { SignUp } from "./sign-up.ts";
import { SigningKeys } from "./signing-keys.ts";
import { WebhookSecrets } from "./webhook-secrets.ts";

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
    const accounts = new Accounts(db, passwords, apiTokens, webhookSecrets);
    const signingKeys = new SigningKeys(db, sealer, config.SIGNING_KEY_ROTATION_D, logger);
    const sessions = new Sessions(db, signingKeys, config.BEARER_LIFETIME_H * hourMs);
    const attempts = limits.limit({
      name: "second-factor",
      points: config.LIMIT_SECOND_FACTOR_PER_ACCOUNT,
      windowS: 15 * 60,
    });
    const secondFactor = new SecondFactor(db, sealer, attempts, settings.SERVICE_NAME);
    const keptPasskeys = new KeptPasskeys(db);
    const passkeyChallenges = new PasskeyChallenges(db);
    const passkeys = new Passkeys(keptPasskeys, passkeyChallenges, settings);
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
    const mailLimit = (name: string) => limits.limit({ name, points: mailsPerHour, windowS: 3_600 });
    const invitations = new Invitations(db);
    const signUp = new SignUp({
      policy: config.SIGNUP,
      accounts,
      invitations,
      links,
      limit: limits.limit({ name: "sign-up", points: config.LIMIT_SIGN_UP_PER_ADDRESS, windowS: 3_600 }),
      settings,
    });
    const parts = {
      accounts,
      apiTokens,
      confirmations: new Confirmations(db, accounts, links, mailLimit("confirmation")),
      invitations,
      keptPasskeys,
      links,
      passkeys,
      passwordChanges: new PasswordChanges({
        db,
        accounts,
        passwords,
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
      router: authRouter(parts),
      subgraph: authSubgraph(parts),
      works: [housekeeping({ db, sealer, passkeyChallenges, ...parts, logger })],
      async start() {
        await signingKeys.rotate();
        if (bootstrapAccount) await new Bootstrap(db, accounts, passwords, logger).ensure(bootstrapAccount);
      },
    };
  },
});
