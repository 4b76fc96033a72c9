import { authContract } from "../auth/contract.ts";
import type { Command } from "./command.ts";
import { table } from "./table.ts";

export const accountList: Command = {
  name: "account list",
  synopsis: "",
  sentence: "Lists every account, in the order they were made.",
  words: { min: 0, max: 0 },
  async run(installation) {
    const accounts = await (await installation.service(authContract)).listAccounts({});
    const rows = accounts.map((account) => [
      account.id,
      account.username,
      account.isDisabled ? "disabled" : "active",
      account.isOperatorMade ? "made by an operator" : "signed up",
      account.hasSecondFactor ? "second factor" : "password",
      account.createdAt,
    ]);
    return { json: accounts, lines: rows.length > 0 ? table(rows) : ["There is no account."] };
  },
};
