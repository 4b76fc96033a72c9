import { GraphRefusal, sentenceOf } from "../graph/refusal.ts";
import { useSignedOutTexts } from "../texts/texts.tsx";

/** Why a form was refused, parted by where that is said. */
interface FieldFaults {
  /** What is wrong with one of its fields. */
  at(member: string): string | undefined;
  /** What is wrong with none of them; null if nothing is. */
  readonly rest: unknown;
}

/** What a refusal that names no member is about, by its kind. */
const membersByKind: Readonly<Record<string, readonly string[]>> = {
  WrongPassword: ["currentPassword", "password"],
  AddressTaken: ["proxyAddress"],
};

/** @param members what the form's fields are called in the graph: `realAddresses` is any entry of it as well */
export function useFieldFaults(error: unknown, ...members: readonly string[]): FieldFaults {
  const { errors } = useSignedOutTexts();
  const own = error instanceof GraphRefusal ? members.find((member) => isAbout(error, member)) : undefined;
  if (own === undefined) return { at: () => undefined, rest: error };
  return { at: (member) => (member === own ? sentenceOf(error, errors) : undefined), rest: null };
}

function isAbout({ kind, member: wrong }: GraphRefusal, member: string): boolean {
  if (wrong === undefined) return membersByKind[kind]?.includes(member) ?? false;
  return wrong === member || wrong.startsWith(`${member}[`) || wrong.startsWith(`${member}: `);
}
