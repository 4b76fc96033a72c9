import { authContract } from "../auth/contract.ts";
import type { Command } from "./command.ts";

export const accountDisable: Command = {
  name: "account disable",
  synopsis: "USER",
  sentence: "Disables an account: nobody signs in to it any more, and its tokens stop at once.",
  words: { min: 1, max: 1 },
  async run(installation, { positionals: [username = ""] }) {
    const account = await (await installation.service(authContract)).disableAccount({ username });
    return { json: account, lines: [`Disabled the account ${account.username} (${account.id}).`] };
  },
};
