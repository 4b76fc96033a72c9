import { authContract } from "../auth/contract.ts";
import type { Command } from "./command.ts";

export const accountInvite: Command = {
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
