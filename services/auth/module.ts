import { defineService } from "../platform/service.ts";
import { Bootstrap, bootstrapCredentials } from "./accounts/bootstrap.ts";
import { authConfig } from "./config.ts";
import { authContract } from "./contract.ts";
import { authSubgraph } from "./graph/resolvers.ts";
import { housekeeping } from "./housekeeping.ts";
import { authParts } from "./parts.ts";
import { authProcedures } from "./procedures.ts";

/** Accounts, passwords, second factor, passkeys, sessions, bearer and API tokens, webhook secrets. */
export const auth = defineService({
  name: "auth",
  config: authConfig,
  needs: {},
  contract: authContract,
  migrations: new URL("./migrations/", import.meta.url),
  build(context) {
    const { config, db, logger } = context;
    const bootstrapAccount = bootstrapCredentials(config);
    const parts = authParts(context);
    return {
      procedures: authProcedures(parts),
      subgraph: authSubgraph(parts),
      tasks: [parts.mailer, housekeeping({ db, logger, ...parts })],
      async start() {
        await parts.signingKeys.rotate();
        if (bootstrapAccount) await new Bootstrap({ db, logger, ...parts }).ensure(bootstrapAccount);
      },
    };
  },
});
