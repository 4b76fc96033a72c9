import { useSearchParams } from "wouter";
import type { ProxyBindingsQueryVariables } from "../graph/gen/operations.ts";

/** What a column is sorted by, as it stands in the URL. */
const orders = {
  created: "CREATED",
  address: "ADDRESS",
  received: "RECEIVED",
  last: "LAST_RECEIVED",
} as const;
export type Order = keyof typeof orders;

export interface ListState {
  search: string;
  order: Order;
  isDescending: boolean;
  /** Absent: those that forward and those that do not. */
  isOn: boolean | undefined;
  /** Absent: of all domains. */
  domain: string | undefined;
}

const isOrder = (text: string): text is Order => Object.hasOwn(orders, text);

function read(params: URLSearchParams): ListState {
  const sort = params.get("sort") ?? "-created";
  const order = sort.replace(/^-/, "");
  const state = params.get("state");
  return {
    search: params.get("q") ?? "",
    order: isOrder(order) ? order : "created",
    isDescending: sort.startsWith("-"),
    isOn: state === "on" ? true : state === "off" ? false : undefined,
    domain: params.get("domain") ?? undefined,
  };
}

function write({ search, order, isDescending, isOn, domain }: ListState): Record<string, string> {
  const sort = `${isDescending ? "-" : ""}${order}`;
  return {
    ...(search === "" ? {} : { q: search }),
    ...(sort === "-created" ? {} : { sort }),
    ...(isOn === undefined ? {} : { state: isOn ? "on" : "off" }),
    ...(domain === undefined ? {} : { domain }),
  };
}

/** What is searched, sorted and filtered: it stands in the URL, so that “back” and a reload show the same. */
export function useListState(): [ListState, (change: Partial<ListState>) => void] {
  const [params, setParams] = useSearchParams();
  const change = (given: Partial<ListState>) =>
    setParams((former) => write({ ...read(former), ...given }), { replace: true });
  return [read(params), change];
}

/** The same, as the graph asks for it. */
export function variablesOf(state: ListState): Omit<ProxyBindingsQueryVariables, "after"> {
  const { search, order, isDescending, isOn, domain } = state;
  return {
    search,
    sort: isDescending ? "DESC" : "ASC",
    order: orders[order],
    isOn: isOn ?? null,
    domain: domain ?? null,
  };
}

/** Everything that there is, whatever is asked for. */
export function isEverything({ search, isOn, domain }: ListState): boolean {
  return search === "" && isOn === undefined && domain === undefined;
}
