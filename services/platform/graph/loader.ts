import DataLoader from "dataloader";

export type Loader<Value> = DataLoader<string, Value>;

/**
 * Reads by id, all that one step of a request asks for in one call.
 * @param missing the value of an id that was not found, or the error that its caller gets
 */
export function loaderOf<Value>(
  find: (ids: string[]) => Promise<ReadonlyMap<string, Value | Error>>,
  missing: () => Value | Error,
): Loader<Value> {
  return new DataLoader<string, Value>(async (ids) => {
    const found = await find([...ids]);
    return ids.map((id) => found.get(id) ?? missing());
  });
}

/** What was found, by id. */
export function byId<Value extends { id: string }>(values: readonly Value[]): Map<string, Value> {
  return new Map(values.map((value) => [value.id, value]));
}
