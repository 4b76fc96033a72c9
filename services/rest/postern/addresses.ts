import { z } from "zod";
import { type BindingSettings, ProxyBinding } from "../../bindings/contract.ts";
import { Refusal } from "../../platform/errors.ts";
import { languageOf } from "../../platform/http/language-of.ts";
import type { Language } from "../../platform/rpc/language.ts";
import { requireScope } from "../../platform/security/scopes.ts";
import type { Caller } from "../http/endpoint.ts";
import { absentIfNull, wellFormedText } from "../http/schemas.ts";
import type { Services } from "../services.ts";
import { declaredResource } from "./resource.ts";

const text = (description: string) => absentIfNull(wellFormedText("a string")).meta({ description });
const flag = absentIfNull(z.boolean({ error: "expected true or false" }));

/** By setting, so that one that is added to a binding and forgotten here does not compile. */
type BySetting<Value> = Record<keyof (typeof BindingSettings)["shape"], Value>;

const settings = {
  description: text("Empty if absent"),
  callbackUrl: text("None if absent"),
  displayName: text("The name in From of answers"),
  isBrowsable: flag,
  answers: flag,
  answersStrangers: flag,
  sendsEncrypted: flag,
} satisfies BySetting<z.ZodType>;

const defaults = {
  description: "",
  callbackUrl: "",
  displayName: "",
  isBrowsable: false,
  answers: false,
  answersStrangers: false,
  sendsEncrypted: false,
} satisfies BySetting<string | boolean>;

/** What is left out is as a new address has it. */
const PutAddress = z
  .object(
    {
      ...settings,
      realAddresses: absentIfNull(
        z.array(
          z.object({
            address: wellFormedText("an email address"),
            isEnabled: absentIfNull(z.boolean({ error: "expected true or false" })),
          }),
          { error: "expected an array" },
        ),
      ).meta({ description: "The whole set. Absent: as they are; of a new address one that leads nowhere" }),
    },
    { error: "expected an object" },
  )
  .meta({
    id: "PutAddress",
    example: { description: "For the shop", realAddresses: [{ address: "jane@example.com", isEnabled: true }] },
  });

const Address = ProxyBinding.pick({
  id: true,
  proxyAddress: true,
  isAutomatic: true,
  createdAt: true,
  updatedAt: true,
  realAddresses: true,
  ...({
    description: true,
    callbackUrl: true,
    isBrowsable: true,
    answers: true,
    displayName: true,
    answersStrangers: true,
    sendsEncrypted: true,
  } as const satisfies BySetting<true>),
} as const).meta({ id: "Address" });

type Binding = z.output<typeof ProxyBinding>;

const shown = (binding: Binding) => Address.parse(binding);

/** By its id, or by its address without regard to case. @throws Refusal NotFound */
export async function findAddress(
  { bindings }: Services,
  { accountId: ownerId }: Caller,
  id: string,
): Promise<Binding> {
  if (!id.includes("@")) return bindings.get({ ownerId, id });
  const [found] = await bindings.resolve({ addresses: [id], countsRefusals: false });
  const route = found?.outcome === "route" && found.route.ownerId === ownerId ? found.route : undefined;
  // Mail to a subaddress comes to the address; it is none itself.
  if (route?.proxyAddress.toLowerCase() !== id.toLowerCase())
    throw new Refusal("NotFound", { public: "There is no such proxy binding." });
  return bindings.get({ ownerId, id: route.bindingId });
}

/** @throws any error but NotFound */
async function findIfAny(services: Services, caller: Caller, id: string): Promise<Binding | undefined> {
  try {
    return await findAddress(services, caller, id);
  } catch (error) {
    if (error instanceof Refusal && error.kind === "NotFound" && id.includes("@")) return undefined;
    throw error;
  }
}

async function put(
  services: Services,
  caller: Caller,
  { id, body, language }: { id: string; body: z.output<typeof PutAddress>; language: Language },
): Promise<{ binding: Binding; isCreated: boolean }> {
  const { realAddresses: given, ...wanted } = body;
  const asked = { ownerId: caller.accountId, apiKey: caller.key, language };
  const realAddresses = given?.map(({ address, isEnabled = true }) => ({ address, isEnabled }));
  const all = { ...defaults, ...present(wanted) };
  let existing = await findIfAny(services, caller, id);
  if (!existing) {
    requireScope(caller, "alias:create");
    const { binding, isCreated } = await services.bindings.create({
      ...asked,
      proxyAddress: id,
      realAddresses,
      ...all,
    });
    if (isCreated) return { binding, isCreated };
    // Another request has made it meanwhile, with what that one asked for.
    existing = binding;
  }
  const { binding } = await services.bindings.update({ ...asked, id: existing.id, realAddresses, ...all });
  return { binding, isCreated: false };
}

function present<T extends object>(wanted: T): Partial<T> {
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)) as Partial<T>;
}

export const addressEndpoints = declaredResource({
  name: "Address",
  path: "/addresses",
  document: Address,
  body: PutAddress,
  show: {
    summary: "Show a proxy address, named by its id or by itself",
    scope: "alias:read",
    handle: async ({ services, caller, id }) => shown(await findAddress(services, caller, id)),
  },
  put: {
    summary: "Make a proxy address exactly what is given",
    description:
      "Named by its id, or by the address itself, which is made where you have none such (201; that takes the scope alias:create). The same request again changes nothing.",
    scope: "alias:write",
    refusals: [404, 409],
    async handle({ services, caller, request, id, body }) {
      const { binding, isCreated } = await put(services, caller, { id, body, language: languageOf(request) });
      return { data: shown(binding), isCreated };
    },
  },
  remove: {
    summary: "Remove a proxy address, named by its id or by itself",
    scope: "alias:write",
    async handle({ services, caller, id }) {
      const { id: found } = await findAddress(services, caller, id);
      await services.bindings.remove({ ownerId: caller.accountId, id: found, apiKey: caller.key });
    },
  },
});
