import { randomBytes } from "node:crypto";
import { authContract } from "../auth/contract.ts";
import { type Command, UsageError } from "./command.ts";
import { table } from "./table.ts";

/** 120 bits, in characters that survive being pasted. */
const generatedBytes = 15;

const accountAdd: Command = {
  name: "account add",
  synopsis: "USER [--password PASSWORD]",
  sentence: "Makes an account, whose address needs no further proof; without a password one is made up and printed.",
  options: { password: { type: "string" } },
  words: { min: 1, max: 1 },
  async run(installation, { positionals: [username = ""], values }) {
    const given = typeof values.password === "string" ? values.password : undefined;
    const password = given ?? randomBytes(generatedBytes).toString("base64url");
    const account = await (await installation.service(authContract)).addAccount({ username, password });
    const made = `Made the account ${account.username} (${account.id}).`;
    if (given !== undefined) return { json: account, lines: [made] };
    return { json: { ...account, password }, lines: [made, `Its password, shown this once: ${password}`] };
  },
};

const accountList: Command = {
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
      account.isOperator ? "operator" : "",
      account.createdAt,
    ]);
    return { json: accounts, lines: rows.length > 0 ? table(rows) : ["There is no account."] };
  },
};

const accountDisable: Command = {
  name: "account disable",
  synopsis: "USER",
  sentence:
    "Disables an account: nobody signs in to it any more, its tokens stop at once, its new mail is refused, and what waits is held.",
  words: { min: 1, max: 1 },
  async run(installation, { positionals: [username = ""] }) {
    const account = await (await installation.service(authContract)).disableAccount({ username });
    return { json: account, lines: [`Disabled the account ${account.username} (${account.id}).`] };
  },
};

const accountEnable: Command = {
  name: "account enable",
  synopsis: "USER",
  sentence: "Enables an account that was disabled: its owner can sign in again, and its mail goes on.",
  words: { min: 1, max: 1 },
  async run(installation, { positionals: [username = ""] }) {
    const account = await (await installation.service(authContract)).enableAccount({ username });
    return { json: account, lines: [`Enabled the account ${account.username} (${account.id}).`] };
  },
};

const accountOperator: Command = {
  name: "account operator",
  synopsis: "USER on|off",
  sentence: "Gives an account the right to open the operator's area of the web application, or takes it away at once.",
  words: { min: 2, max: 2 },
  async run(installation, { positionals: [username = "", state = ""] }) {
    if (state !== "on" && state !== "off") throw new UsageError(`takes "on" or "off", not "${state}"`);
    const isOperator = state === "on";
    const account = await (await installation.service(authContract)).setOperator({ username, isOperator });
    const now = isOperator ? "is an operator" : "is no operator any more";
    return { json: account, lines: [`${account.username} (${account.id}) ${now}.`] };
  },
};

const accountInvite: Command = {
  name: "account invite",
  synopsis: "",
  sentence: "Makes an invitation, good once, that lets somebody sign up where SIGNUP is invite.",
  words: { min: 0, max: 0 },
  async run(installation) {
    const { code, expiresAt } = await (await installation.service(authContract)).invite({});
    const url = `${installation.settings().PUBLIC_URL}/sign-up/${code}`;
    return {
      json: { code, url, expiresAt },
      lines: [`Invitation, shown this once: ${code}`, `Sign up with it at ${url}`, `It is good until ${expiresAt}.`],
    };
  },
};

const accountResetSecondFactor: Command = {
  name: "account reset-second-factor",
  synopsis: "USER [--passkeys]",
  sentence:
    "For an owner who has lost authenticator and recovery codes: turns the second factor off (and removes the passkeys), ends all sessions, and tells the owner by mail.",
  options: { passkeys: { type: "boolean" } },
  words: { min: 1, max: 1 },
  async run(installation, { positionals: [username = ""], values }) {
    const auth = await installation.service(authContract);
    const arePasskeysRemoved = values.passkeys === true;
    const { account, hadSecondFactor, passkeys } = await auth.resetSecondFactor({ username, arePasskeysRemoved });
    const factor = hadSecondFactor ? "Turned the second factor off" : "There was no second factor";
    const removed = arePasskeysRemoved ? `, removed ${passkeys} passkeys` : "";
    return {
      json: { ...account, hadSecondFactor, removedPasskeys: passkeys },
      lines: [`${account.username} (${account.id}): ${factor}${removed}, and ended all sessions.`],
    };
  },
};

/** What an operator does to accounts. */
export const accountCommands: readonly Command[] = [
  accountAdd,
  accountList,
  accountDisable,
  accountEnable,
  accountResetSecondFactor,
  accountOperator,
  accountInvite,
];
