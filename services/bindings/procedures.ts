import type { Implementation } from "../platform/rpc/contract.ts";
import { admitAnswer } from "./contacts/admit-answer.ts";
import { admitSending } from "./contacts/admit-sending.ts";
import { blockedBy, contactAddresses, contactFaults, realAddressesOfOwner } from "./contacts/contact-lookups.ts";
import { createContact, deleteContact, listContacts, updateContact } from "./contacts/manage-contacts.ts";
import { mapToReverseAddresses } from "./contacts/map-reverse-addresses.ts";
import type { bindingsContract } from "./contract.ts";
import type { OwnDomains } from "./domains/own-domains.ts";
import type { Imports } from "./imports/imports.ts";
import {
  bindingIntegerIds,
  bindingOfIntegerId,
  contactIntegerIds,
  contactOfIntegerId,
} from "./integer-ids/integer-ids.ts";
import { listPatterns, setPatterns } from "./patterns/domain-patterns.ts";
import { reserveNewAddresses } from "./patterns/new-addresses.ts";
import { type BindingDependencies, createBinding } from "./proxy-bindings/create.ts";
import { countBindings, getBinding, getBindings, listBindings } from "./proxy-bindings/list.ts";
import { removeBinding } from "./proxy-bindings/remove.ts";
import { switchOffCallback } from "./proxy-bindings/switch-off-callback.ts";
import { toggleBinding } from "./proxy-bindings/toggle.ts";
import { updateBinding } from "./proxy-bindings/update.ts";
import { listWebsites, setWebsites } from "./proxy-bindings/websites.ts";
import { replaceEverywhere } from "./real-addresses/replace-everywhere.ts";
import { disableRealAddress } from "./real-addresses/suspension.ts";
import type { RefusalCounter } from "./routing/refusal-counter.ts";
import { resolveAddresses } from "./routing/resolve.ts";
import { rulesImplementation } from "./rules/procedures.ts";
import { listTargets } from "./targets/account-targets.ts";
import type { AddressVerification } from "./verification/address-verification.ts";

const done = {};

interface ProcedureDependencies {
  dependencies: BindingDependencies;
  verification: AddressVerification;
  refusals: RefusalCounter;
  ownDomains: OwnDomains;
  imports: Imports;
}

/** Implements bindings' contract. */
export function bindingsProcedures({
  dependencies,
  verification,
  refusals,
  ownDomains,
  imports,
}: ProcedureDependencies): Implementation<typeof bindingsContract> {
  const { db, domains, links, owners, quota, contactQuota, reservedNames, newContacts } = dependencies;
  return {
    ...rulesImplementation(dependencies),
    create: (creation) => createBinding(dependencies, creation),
    update: (change) => updateBinding(dependencies, change),
    toggle: (toggle) => toggleBinding(db, toggle),
    get: ({ ownerId, id }) => getBinding(db, ownerId, id),
    getMany: ({ ownerId, ids }) => getBindings(db, ownerId, ids),
    list: (listing) => listBindings(db, quota, listing),
    count: async (listing) => ({ totalCount: await countBindings(db, listing) }),
    remove: (removal) => removeBinding(db, removal).then(() => done),
    targets: ({ ownerId }) => owners.ensureKnown(ownerId).then(() => listTargets(db, ownerId)),
    replaceRealAddress: async (replacement) => ({ bindings: await replaceEverywhere(dependencies, replacement) }),
    websites: (asked) => listWebsites(db, asked),
    setWebsites: (note) => setWebsites(db, note).then(() => done),
    contactIntegerIds: ({ ownerId, ids }) => contactIntegerIds(db, ownerId, ids),
    contactOfIntegerId: ({ ownerId, number }) => contactOfIntegerId(db, ownerId, number),
    bindingIntegerIds: ({ ownerId }) => bindingIntegerIds(db, ownerId),
    bindingOfIntegerId: async ({ ownerId, number }) => ({ id: await bindingOfIntegerId(db, ownerId, number) }),
    resendVerification: (resending) => verification.resend(resending).then(() => done),
    describeVerification: ({ token }) => verification.describe(token),
    verify: ({ token }) => verification.verify(token),
    resolve: ({ addresses, countsRefusals }) =>
      resolveAddresses(db, { domains, refusals: countsRefusals ? refusals : undefined }, addresses),
    reserveNewAddresses: ({ addresses }) => reserveNewAddresses(db, addresses).then(() => done),
    isAnyReserved: async ({ localParts }) => ({ isReserved: localParts.some((each) => reservedNames.has(each)) }),
    isReserved: async ({ localPart }) => ({ isReserved: reservedNames.has(localPart) }),
    contacts: (listing) => listContacts(db, listing),
    createContact: (creation) => createContact(db, newContacts, creation),
    updateContact: (change) => updateContact(db, change),
    deleteContact: (contact) => deleteContact(db, contact).then(() => done),
    reverseAddresses: (request) => mapToReverseAddresses(db, contactQuota, request),
    contactFaults: ({ contactIds }) => contactFaults(db, contactIds),
    contactAddresses: ({ bindingId, tokens }) => contactAddresses(db, bindingId, tokens),
    realAddresses: async ({ bindingId }) => ({ addresses: await realAddressesOfOwner(db, bindingId) }),
    admitAnswer: (request) => admitAnswer({ db, ...dependencies.sending }, request),
    admitSending: (request) => admitSending({ db, ...dependencies.sending }, request),
    blockedBy: ({ bindingIds, addresses }) => blockedBy(db, bindingIds, addresses),
    switchOffCallback: ({ bindingId, callbackUrl }) => switchOffCallback(db, bindingId, callbackUrl).then(() => done),
    importDryRun: (wanted) => imports.dryRun(wanted),
    startImport: ({ ownerId, id, makesNewAddresses, apiKey }) => imports.start(ownerId, id, makesNewAddresses, apiKey),
    imports: ({ ownerId }) => imports.list(ownerId),
    importJob: ({ ownerId, id }) => imports.job(ownerId, id),
    importRows: ({ ownerId, id, ...page }) => imports.rows(ownerId, id, page),
    removeImport: ({ ownerId, id }) => imports.remove(ownerId, id).then(() => done),
    domains: ({ ownerId }) => ownDomains.list(ownerId),
    domain: ({ ownerId, id }) => ownDomains.get(ownerId, id),
    addDomain: (addition) => ownDomains.add(addition),
    checkDomain: ({ ownerId, id }) => ownDomains.check(ownerId, id),
    rotateDomainKeys: (wanted) => ownDomains.rotateKeys(wanted),
    removeDomain: (removal) => ownDomains.remove(removal).then(() => done),
    domainPatterns: ({ ownerId, id }) => listPatterns(db, ownerId, id),
    setDomainPatterns: (change) => setPatterns({ db, domains }, change),
    allDomains: ({ name, limit }) => ownDomains.all(name, limit),
    disableRealAddress: (decision) => disableRealAddress(db, links, decision),
  };
}
