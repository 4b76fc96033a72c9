import { isIP } from "node:net";
import type { z } from "zod";
import { asciiDomain } from "../../message/address/domain-name.ts";
import { normalizeAddress, normalizeListId, normalizeText } from "../../message/rules/normalize-values.ts";
import { ConfigurationError, invalidField } from "../../platform/errors.ts";
import { rangesOf } from "../../platform/net/special-ranges.ts";
import { checkAddress, checkText } from "../validation.ts";
import { type RuleConditions, ruleLimits } from "./contract.ts";

type Conditions = z.output<typeof RuleConditions>;

/** How each value is checked, and the form in which it is kept and compared. */
const readers = {
  senders: (field: string, given: string) => (given === "<>" ? given : readAddressOrDomain(field, given)),
  clientNetworks: readNetwork,
  tags: (field: string, given: string) => readText(field, given.replace(/^\+/, "")),
  from: readAddressOrDomain,
  subjectContains: (field: string, given: string) => readNonEmpty(field, given, readText),
  listIds: (field: string, given: string) =>
    readNonEmpty(field, given, (name, text) => normalizeListId(readText(name, text))),
} as const;

/** Conditions in the form in which they are kept and compared; each value once. @throws Refusal ValidationFailed naming the value */
export function checkConditions(given: Conditions): Conditions {
  const { largerThan, smallerThan, dmarc, dkim } = given;
  checkSize("conditions.largerThan", largerThan);
  checkSize("conditions.smallerThan", smallerThan);
  const texts = Object.entries(readers).flatMap(([name, read]) => {
    const values = given[name as keyof typeof readers];
    return values ? [[name, readAll(`conditions.${name}`, values, read)]] : [];
  });
  const verdicts = Object.entries({ dmarc, dkim }).flatMap(([name, values]) =>
    values ? [[name, [...new Set(someOf(`conditions.${name}`, values))]]] : [],
  );
  const sizes = Object.entries({ largerThan, smallerThan }).filter(([, size]) => size !== undefined);
  return Object.fromEntries([...texts, ...verdicts, ...sizes]);
}

function readAll(field: string, values: readonly string[], read: (field: string, given: string) => string): string[] {
  return [...new Set(someOf(field, values).map((value, at) => read(`${field}[${at}]`, value)))];
}

/** A condition without a value would hold for nothing. */
function someOf<Value>(field: string, values: readonly Value[]): readonly Value[] {
  if (values.length === 0) throw invalidField(field, "has no value: leave the condition out, or give it one.");
  if (values.length > ruleLimits.values) throw invalidField(field, `has more than ${ruleLimits.values} values.`);
  return values;
}

function checkSize(field: string, size: number | undefined): void {
  if (size !== undefined && size < 0) throw invalidField(field, "is less than 0.");
}

function readText(field: string, given: string): string {
  return normalizeText(checkText(field, given, ruleLimits.valueCharacters));
}

function readNonEmpty(field: string, given: string, read: (field: string, given: string) => string): string {
  const text = read(field, given);
  if (text === "") throw invalidField(field, "is empty.");
  return text;
}

function readAddressOrDomain(field: string, given: string): string {
  const text = readText(field, given).replace(/^@/, "");
  if (text.includes("@")) return normalizeAddress(checkAddress(field, text).key);
  const domain = asciiDomain(text);
  if (!domain) throw invalidField(field, "is neither an address nor a domain.");
  return domain;
}

function readNetwork(field: string, given: string): string {
  const text = checkText(field, given, ruleLimits.valueCharacters).trim();
  const version = isIP(text);
  const network = version === 0 ? text : `${text}/${version === 4 ? 32 : 128}`;
  try {
    return rangesOf([network]) && network.toLowerCase();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw invalidField(field, "is neither an IP address nor a network such as 192.0.2.0/24.");
  }
}
