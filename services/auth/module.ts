import { defineService } from "../platform/service.ts";
import { Bootstrap, bootstrapCheck, bootstrapCredentials } from "./accounts/bootstrap.ts";
import { authComponents, sealingPurpose } from "./components.ts";
import { authConfig } from "./config.ts";
import { authContract } from "./contract.ts";
import { housekeeping } from "./housekeeping.ts";
import { authProcedures } from "./procedures.ts";

/** Accounts, passwords, second factor, passkeys, sessions, bearer and API tokens, webhook secrets. */
export const auth = defineService({
  name: "auth",
  config: authConfig,
  configChecks: [bootstrapCheck],
  needs: {},
  contract: authContract,
  migrations: new URL("./migrations/", import.meta.url),
  sealed: { table: "signing_key", purpose: sealingPurpose },
  build(context) {
    const { config, db, logger } = context;
    const bootstrapAccount = bootstrapCredentials(config);
    const components = authComponents(context);
    return {
      procedures: authProcedures(components),
      subgraph: async () => {
        const { authSubgraph } = await import("./graph/resolvers.ts");
        return authSubgraph(components, db);
      },
      tasks: [components.mailer, housekeeping({ db, logger, ...components })],
      async start() {
        await components.signingKeys.rotate();
        if (bootstrapAccount) await new Bootstrap({ db, logger, ...components }).ensure(bootstrapAccount);
      },
    };
  },
});
