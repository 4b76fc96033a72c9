import type { Transaction } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { parseEmailAddress } from "../addresses/email-address.ts";
import { type BindingDependencies, type CreationOptions, createBinding } from "../proxy-bindings/create.ts";
import type { ProxyBinding } from "../proxy-bindings/rows.ts";
import { generateInternalAddress, readAddressSet, replaceRealAddresses } from "../real-addresses/real-addresses.ts";
import type { AddressEntry } from "./entries.ts";
import type { Maker } from "./make-entry.ts";
import { type Ending, endEntry, type WaitingEntry } from "./rows.ts";

type WaitingAddress = WaitingEntry & { readonly entry: AddressEntry };

interface GivenTarget {
  readonly address: string;
  readonly isEnabled: boolean;
  readonly spfSuffices?: boolean | undefined;
}

/**
 * Makes a binding: with the address that it had where the account has its domain, and nobody else the address; else with a new one, if
 * that is wanted. One that the account has already stays as it is.
 * @returns what is not recorded yet
 * @throws Refusal
 */
export async function makeAddress(
  dependencies: BindingDependencies,
  maker: Maker,
  waiting: WaitingAddress,
): Promise<Ending | undefined> {
  const { entry } = waiting;
  const { emailAddress, fault } = parseEmailAddress(entry.address);
  if (!emailAddress) throw new Refusal("ValidationFailed", { public: `address: the address ${fault}.` });
  const served = (await dependencies.domains.served(dependencies.db, [emailAddress.domain])).get(emailAddress.domain);
  const isOurs = served === null || served?.ownerId === maker.ownerId;
  let why = `${emailAddress.domain} is no domain that you have proved here.`;
  if (isOurs) {
    try {
      return await create(dependencies, maker, waiting, entry.address, "");
    } catch (error) {
      if (!isAboutAddress(error)) throw error;
      why = error.publicMessage;
    }
  }
  if (!maker.makesNewAddresses) return { state: "left", detail: why };
  return create(dependencies, maker, waiting, undefined, why);
}

/** Somebody else has it, or it is none that can be chosen here: another can be made. */
function isAboutAddress(error: unknown): error is Refusal {
  if (!(error instanceof Refusal)) return false;
  const isField = error.kind === "ValidationFailed" && error.fieldFault?.field === "proxyAddress";
  return error.kind === "AddressTaken" || isField;
}

async function create(
  dependencies: BindingDependencies,
  { ownerId, apiKey }: Maker,
  waiting: WaitingAddress,
  proxyAddress: string | undefined,
  detail: string,
): Promise<Ending | undefined> {
  const { settings, sites } = waiting.entry;
  const targets = await targetsOf(dependencies, ownerId, waiting.entry);
  const also: CreationOptions["also"] = async (tx, binding) => {
    await replaceRealAddresses(
      tx,
      { bindingId: binding.id, ownerId, domains: dependencies.domains },
      readAddressSet(targets),
    );
    await noteSites(tx, binding.id, sites);
    await endEntry(tx, waiting, endingOf(binding, detail));
  };
  const creation = {
    ownerId,
    proxyAddress,
    realAddresses: targets.map(({ address }) => address),
    ...settings,
    apiKey,
  };
  const { binding, isCreated } = await createBinding(dependencies, creation, { sendsNoLinks: true, also });
  return isCreated ? undefined : endingOf(binding, "You have it already: it stays as it is.");
}

function endingOf({ id, proxyAddress }: ProxyBinding, detail: string): Ending {
  return { state: "done", newValue: proxyAddress, detail, bindingId: id };
}

/** Where none is named: the account's own address, or nowhere if that is none. */
async function targetsOf(
  { db, domains }: BindingDependencies,
  ownerId: string,
  { targets, isEnabled }: AddressEntry,
): Promise<GivenTarget[]> {
  // A reserved internal domain of another installation is none here.
  const kept = targets.filter(
    ({ address, isInternal }) =>
      !isInternal || domains.isInternal(parseEmailAddress(address).emailAddress?.domain ?? ""),
  );
  if (kept.length > 0) return kept;
  const { rows } = await db.query<{ ownAddress: string | null }>("select own_address from owner where id = $1", [
    ownerId,
  ]);
  const own = targets.length === 0 ? rows[0]?.ownAddress : null;
  return [{ address: own ?? generateInternalAddress(domains).emailAddress.spelling, isEnabled }];
}

async function noteSites(tx: Transaction, bindingId: string, sites: readonly string[]): Promise<void> {
  const kept = sites.filter((site) => site.length <= 253 && !site.includes("\0") && site.isWellFormed());
  if (kept.length === 0) return;
  await tx.query("insert into used_on (binding_id, sites) values ($1, $2) on conflict do nothing", [
    bindingId,
    [...new Set(kept)],
  ]);
}
