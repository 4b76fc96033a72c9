import { GraphRefusal, sentenceOf } from "../graph/refusal.ts";
import { useSignedOutTexts } from "../texts/texts.tsx";

/** Why a form was refused, parted by where that is said. */
interface FieldFaults {
  /** What is wrong with one of its fields. */
  at(member: string): string | undefined;
  /** What is wrong with none of them; null if nothing is. */
  readonly rest: unknown;
}

/** @param members what the form's fields are called in the graph: `realAddresses` is any entry of it as well */
export function useFieldFaults(error: unknown, ...members: readonly string[]): FieldFaults {
  const { errors } = useSignedOutTexts();
  const wrong = error instanceof GraphRefusal ? error.member : undefined;
  const own = members.find((member) => wrong === member || wrong?.startsWith(`${member}[`));
  if (own === undefined) return { at: () => undefined, rest: error };
  return { at: (member) => (member === own ? sentenceOf(error, errors) : undefined), rest: null };
}
