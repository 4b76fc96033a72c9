import { invalidField } from "../errors.ts";
import { isId } from "../ids.ts";

const defaultPageSize = 20;
const maxPageSize = 100;

/** How many nodes a page of a connection has. @throws Refusal ValidationFailed for none, and for more than 100. */
export function pageSize(first: number | null | undefined): number {
  const size = first ?? defaultPageSize;
  if (size < 1 || size > maxPageSize) throw invalidField("first", `must be from 1 to ${maxPageSize}.`);
  return size;
}

/** The id of the last node of the page before; undefined for the first page. @throws Refusal ValidationFailed for what is none */
export function idCursor(after: string | null | undefined): string | undefined {
  if (after == null) return undefined;
  if (!isId(after)) throw invalidField("after", "is no cursor of this list.");
  return after;
}
