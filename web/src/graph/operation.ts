/** A query or mutation of web/operations, typed by what it takes and gives. */
export interface Operation<Data, Variables> {
  readonly name: string;
  /** SHA-256 of the text, by which the server is asked first. */
  readonly hash: string;
  readonly text: string;
  /** Only a type: keeps the two parameters. */
  readonly types?: (variables: Variables) => Data;
}
