import { randomBytes } from "node:crypto";
import { authContract } from "../auth/contract.ts";
import type { Command } from "./command.ts";

/** 120 bits, in characters that survive being pasted. */
const generatedBytes = 15;

export const accountAdd: Command = {
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
