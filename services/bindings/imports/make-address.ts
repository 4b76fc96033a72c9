import type { z } from "zod";
import { Refusal } from "../../platform/errors.ts";
import { parseEmailAddress } from "../addresses/email-address.ts";
import { type BindingDependencies, type CreationOptions, createBinding } from "../proxy-bindings/create.ts";
import type { ProxyBinding } from "../proxy-bindings/rows.ts";
import { writeWebsites } from "../proxy-bindings/websites.ts";
import type { GivenTarget } from "../real-addresses/contract.ts";
import { generateInternalAddress } from "../real-addresses/real-addresses.ts";
import type { AddressEntry } from "./entries.ts";
import type { Maker } from "./make-entry.ts";
import { type Ending, endEntry, type WaitingEntry } from "./rows.ts";

type WaitingAddress = WaitingEntry & { readonly entry: AddressEntry };

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
  const onCreated: CreationOptions["onCreated"] = async (tx, binding) => {
    if (sites.length > 0) await writeWebsites(tx, { ownerId, bindingId: binding.id, sites });
    await endEntry(tx, waiting, endingOf(binding, detail));
  };
  const creation = {
    ownerId,
    proxyAddress,
    realAddresses: targets,
    ...settings,
    apiKey,
  };
  const { binding, isCreated } = await createBinding(dependencies, creation, { sendsNoLinks: true, onCreated });
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
): Promise<z.output<typeof GivenTarget>[]> {
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
