import type { z } from "zod";
import { bindingsContract } from "../bindings/contract.ts";
import { Refusal } from "../platform/errors.ts";
import type { Client } from "../platform/rpc/contract.ts";
import type { Command, Report } from "./command.ts";
import type { Installation } from "./installation.ts";
import { table } from "./table.ts";

type Domain = z.output<typeof bindingsContract.procedures.checkDomain.output>;

type CheckedDomain = Domain & { conflict?: string };
type Bindings = Client<typeof bindingsContract>;

const listLimit = 10_000;

async function domainsOf(installation: Installation, name: string | null) {
  return (await installation.service(bindingsContract)).allDomains({ name, limit: listLimit });
}

const domainList: Command = {
  name: "domain list",
  synopsis: "",
  sentence: "Lists the domains that accounts have added, by name, with their states and since when they fail.",
  words: { min: 0, max: 0 },
  async run(installation) {
    const domains = await domainsOf(installation, null);
    const rows = domains.map(({ id, name, ownerId, state, checkedAt, failingSince }) => [
      ...[name, state, `account ${ownerId}`, `domain ${id}`],
      ...[`looked at ${checkedAt ?? "never"}`, failingSince ? `failing since ${failingSince}` : ""],
    ]);
    return { json: domains, lines: rows.length > 0 ? table(rows) : ["No account has a domain of its own."] };
  },
};

async function domainsNamed(installation: Installation, name: string) {
  const domains = await domainsOf(installation, name.toLowerCase().replace(/\.$/, ""));
  if (domains.length === 0) throw new Refusal("NotFound", { public: `No account has added ${name}.` });
  return domains;
}

const domainCheck: Command = {
  name: "domain check",
  synopsis: "NAME",
  sentence: "Looks at the DNS records of a domain now, for each account that has added it.",
  words: { min: 1, max: 1 },
  async run(installation, { positionals: [name = ""] }): Promise<Report> {
    const domains = await domainsNamed(installation, name);
    const bindings = await installation.service(bindingsContract);
    const checked: CheckedDomain[] = [];
    for (const domain of domains) checked.push(await look(bindings, domain));
    const lines = checked.flatMap(linesOf);
    const isGood = checked.some(({ state }) => state === "verified");
    return { json: checked, lines, isGood };
  },
};

const domainRotate: Command = {
  name: "domain rotate",
  synopsis: "NAME",
  sentence: "Makes new DKIM keys of a domain whose owner has proved it; they sign once their records are found.",
  words: { min: 1, max: 1 },
  async run(installation, { positionals: [name = ""] }): Promise<Report> {
    const proved = (await domainsNamed(installation, name)).find(
      ({ state }) => state === "verified" || state === "broken",
    );
    if (!proved) throw new Refusal("NotFound", { public: `No account has proved ${name}.` });
    const bindings = await installation.service(bindingsContract);
    const domain = await bindings.rotateDomainKeys({ ownerId: proved.ownerId, id: proved.id });
    return { json: domain, lines: linesOf(domain) };
  },
};

function linesOf({ id, name, ownerId, state, records, conflict }: CheckedDomain): string[] {
  const rows = records.map(({ verdict, type, name: owner, expected, found, keyStage, keepUntil }) => [
    ...[verdict, type, `${owner}.`, expected, found],
    keyStage === null || keyStage === "current"
      ? ""
      : `${keyStage} key${keepUntil ? `, to stay until ${keepUntil}` : ""}`,
  ]);
  return [`${name} of account ${ownerId} (${id}): ${state}`, ...(conflict ? [conflict] : []), ...table(rows)];
}

/** A domain that another account has proved is shown like the rest, with what its owner is told. */
async function look(
  bindings: Pick<Bindings, "checkDomain" | "domain">,
  { ownerId, id }: Domain,
): Promise<CheckedDomain> {
  try {
    return await bindings.checkDomain({ ownerId, id });
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== "Conflict") throw error;
    return { ...(await bindings.domain({ ownerId, id })), conflict: error.publicMessage };
  }
}

/** What an operator sees of accounts' own domains. */
export const domainCommands: readonly Command[] = [domainList, domainCheck, domainRotate];
