import { authContract } from "../auth/contract.ts";
import { bindingsContract } from "../bindings/contract.ts";
import { Refusal } from "../platform/errors.ts";
import { isId } from "../platform/ids.ts";
import type { Command } from "./command.ts";
import type { Installation } from "./installation.ts";
import { table } from "./table.ts";

const ruleList: Command = {
  name: "rule list",
  synopsis: "USER|ACCOUNT",
  sentence: "Lists the rules of an account: of all its mail, of its domains and of its addresses, each in their order.",
  words: { min: 1, max: 1 },
  async run(installation, { positionals: [who = ""] }) {
    const ownerId = isId(who) ? who : await idOf(installation, who);
    const rules = await (await installation.service(bindingsContract)).listRules({ ownerId });
    const rows = rules.map(({ id, bindingId, domainId, position, name, conditions, actions, expiresAt, hits }) => [
      bindingId ? `binding ${bindingId}` : domainId ? `domain ${domainId}` : "account",
      ...[String(position), id, name, JSON.stringify(conditions), JSON.stringify(actions), `${hits} hits`],
      expiresAt ? `until ${expiresAt}` : "",
    ]);
    return { json: rules, lines: rows.length > 0 ? table(rows) : ["The account has no rules."] };
  },
};

async function idOf(installation: Installation, username: string): Promise<string> {
  const accounts = await (await installation.service(authContract)).listAccounts({ username });
  const account = accounts.find((each) => each.username === username);
  if (!account) throw new Refusal("NotFound", { public: `There is no account ${username}.` });
  return account.id;
}

/** What an operator sees of accounts' rules. */
export const ruleCommands: readonly Command[] = [ruleList];
