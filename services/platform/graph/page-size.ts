import { Refusal } from "../errors.ts";

const standard = 20;
const largest = 100;

/** How many nodes a page of a connection has. @throws Refusal ValidationFailed for none, and for more than 100. */
export function pageSize(first: number | null | undefined): number {
  const size = first ?? standard;
  if (size < 1 || size > largest)
    throw new Refusal("ValidationFailed", { field: "first", public: `must be from 1 to ${largest}.` });
  return size;
}
