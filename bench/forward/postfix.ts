import { startPostfix } from "../../scripts/peers/postfix.ts";
import type { ComparedSystem } from "./compared-system.ts";

const alias = "proxy@alias.example";
const realAddress = "owner@real.example";

/**
 * Postfix with one virtual alias, relaying all to one port. It writes no log where no syslog runs: a little in its favour.
 * @param milterPort of the one that signs
 */
export async function startAliasPostfix(relayPort: number, milterPort?: number): Promise<ComparedSystem> {
  const milter = [`smtpd_milters = inet:127.0.0.1:${milterPort}`, "milter_default_action = tempfail"];
  const { smtpPort, pid, stop } = await startPostfix([
    "virtual_alias_domains = alias.example",
    `virtual_alias_maps = inline:{ ${alias}=${realAddress} }`,
    `relayhost = [127.0.0.1]:${relayPort}`,
    ...(milterPort === undefined ? [] : milter),
  ]);
  return { name: "Postfix", smtpPort, recipient: alias, rootPids: [pid], stop };
}
