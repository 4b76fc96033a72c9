/** JSON that is made while it is sent, and never whole in memory. */
export type Pieces = AsyncGenerator<string | Buffer>;

/** A member that is an array. @param items each as pieces of JSON */
export async function* arrayOf(name: string, items: AsyncIterable<Iterable<string> | Pieces>): Pieces {
  let separator = "\n";
  yield `"${name}": [`;
  for await (const item of items) {
    yield separator;
    // Not by `yield*`: a stream that is destroyed calls `throw`, which the iterator of an array lacks.
    for await (const piece of item) yield piece;
    separator = ",\n";
  }
  yield "]";
}
