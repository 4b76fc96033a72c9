import { NotFoundError } from "./errors.ts";
import type { CreateProxyBindingInput, GraphOperations, UpdateProxyBindingInput } from "./gen/graph.ts";
import { pages } from "./pages.ts";
import type { CallOptions, Transport } from "./transport.ts";

type Binding = GraphOperations["createAddress"]["data"]["createProxyBinding"] extends infer P
  ? NonNullable<P> extends { proxyBinding: infer B }
    ? B
    : never
  : never;

/** A proxy address with its settings. */
export interface Address extends Omit<Binding, "proxyAddress" | "realAddresses"> {
  /** The proxy address itself. */
  address: string;
  /** Where mail is forwarded. */
  targets: Binding["realAddresses"];
}

export interface NewAddress extends Omit<CreateProxyBindingInput, "proxyAddress" | "realAddresses"> {
  /** Absent: one is made up. One that is your own already is given as it is. */
  address?: string | undefined;
  /** Where mail is forwarded; absent: nowhere, and it is kept and called back only. */
  targets?: string[] | undefined;
}

export interface AddressChange extends Omit<UpdateProxyBindingInput, "realAddresses"> {
  /** The whole new set; those that are off as `{ address, isEnabled: false }`. */
  targets?: (string | { address: string; isEnabled: boolean })[] | undefined;
}

/** Proxy addresses: make them, list them, change them, remove them. */
export class Addresses {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Makes an address; kept for reading unless `isBrowsable` is false. Scope: alias:create. @throws ApiError, ConnectionError */
  async create({ address, targets, ...settings }: NewAddress = {}, options?: CallOptions): Promise<Address> {
    const input = { isBrowsable: true, ...settings, proxyAddress: address, realAddresses: targets };
    // One that has a name is given again; one that is made up would be another.
    const behaviour = { ...options, isRepeatable: address !== undefined };
    const { createProxyBinding: made } = await this.#transport.graph("createAddress", { input }, behaviour);
    return shown(made?.proxyBinding);
  }

  /** All of them, the newest first. `search` looks at addresses and descriptions. Scope: alias:read. */
  list({ search, ...options }: { search?: string | undefined } & CallOptions = {}): AsyncIterableIterator<Address> {
    return pages(async (after) => {
      const asked = { first: 100, after, search };
      const { proxyBindings } = await this.#transport.graph("listAddresses", asked, options);
      return proxyBindings && { ...proxyBindings, nodes: proxyBindings.nodes.map(shown) };
    });
  }

  /** By its id, or by the address itself. Scope: alias:read. @throws NotFoundError */
  async get(idOrAddress: string, options?: CallOptions): Promise<Address> {
    const id = idOrAddress.includes("@") ? await this.#idOf(idOrAddress, options) : idOrAddress;
    return shown((await this.#transport.graph("showAddress", { id }, options)).proxyBinding);
  }

  async #idOf(address: string, options?: CallOptions): Promise<string> {
    try {
      return (await this.#transport.rest("showAddress", { path: { id: address } }, options)).data.id;
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      throw new NotFoundError({ status: 404, kind: "NotFound", message: `There is no address ${address}.` });
    }
  }

  /** Changes what is given, and leaves the rest as it is. Scope: alias:write. @throws ApiError, ConnectionError */
  async update(id: string, { targets, ...settings }: AddressChange, options?: CallOptions): Promise<Address> {
    const realAddresses = targets?.map((target) => (typeof target === "string" ? { address: target } : target));
    const variables = { id, input: { ...settings, realAddresses } };
    const { updateProxyBinding: changed } = await this.#transport.graph("updateAddress", variables, {
      ...options,
      isRepeatable: true,
    });
    return shown(changed?.proxyBinding);
  }

  /** Removes it with all that is kept for it. Mail to it is refused from then on. Scope: alias:write. @throws NotFoundError */
  async remove(id: string, options?: CallOptions): Promise<void> {
    await this.#transport.rest("deleteProxyBinding", { path: { id } }, options);
  }
}

function shown(binding: Binding | null | undefined): Address {
  if (!binding) throw new NotFoundError({ status: 404, kind: "NotFound", message: "There is no such address." });
  const { proxyAddress: address, realAddresses: targets, ...rest } = binding;
  return { ...rest, address, targets };
}
