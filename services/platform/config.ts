import ipaddr from "ipaddr.js";
import { z } from "zod";
import { asciiDomain } from "../message/address/domain-name.ts";
import { ConfigurationError } from "./errors.ts";

/** Variables by name, each with its form, default and a sentence: the check at start and docs/configuration.md come from here. */
export type ConfigDefinition = Readonly<Record<string, z.ZodType>>;

export type ConfigOf<D extends ConfigDefinition> = { readonly [K in keyof D]: z.output<D[K]> };

export type Environment = Readonly<Record<string, string | undefined>>;

/** Declares what a service reads from the environment. */
export function defineConfig<const D extends ConfigDefinition>(definition: D): D {
  return definition;
}

/** The environment of this process: the one place that reads it. */
export function processEnvironment(): Environment {
  return process.env;
}

/** Tells a library what it takes from nowhere but the environment of this process. */
export function setLibraryEnvironment(variables: Readonly<Record<string, string>>): void {
  Object.assign(process.env, variables);
}

/** What is wrong with variables together, as sentences that begin with a name. Those that are wrong by themselves are absent. */
export type ConfigCheck = (config: Readonly<Record<string, unknown>>) => readonly string[];

/**
 * Reads and checks all the variables of a definition; one that is empty counts as unset.
 * @throws ConfigurationError listing every fault at once, each with the variable's name and what was expected.
 */
export function loadConfig<D extends ConfigDefinition>(
  definition: D,
  environment: Environment,
  checks: readonly ConfigCheck[] = [],
): ConfigOf<D> {
  const values: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [name, schema] of Object.entries(definition)) {
    const given = environment[name] === "" ? undefined : environment[name];
    const outcome = schema.safeParse(given);
    if (outcome.success) values[name] = outcome.data;
    else
      faults.push(
        `${name}: ${given === undefined ? "is not set; " : ""}${outcome.error.issues.map((issue) => issue.message).join("; ")}`,
      );
  }
  faults.push(...checks.flatMap((check) => check(values)));
  if (faults.length > 0) throw new ConfigurationError(faults);
  return values as ConfigOf<D>;
}

/** A row of docs/configuration.md. */
interface VariableDescription {
  name: string;
  form: string;
  unset: string;
  sentence: string;
}

/** A definition as rows of the configuration table. */
export function describeConfig(definition: ConfigDefinition): VariableDescription[] {
  return Object.entries(definition).map(([name, schema]) => {
    const meta = schema.meta() ?? {};
    const unset = schema.safeParse(undefined);
    const shown =
      typeof meta["unset"] === "string" ? meta["unset"] : unset.success ? String(meta["fallback"] ?? "") : "required";
    return { name, form: String(meta["form"] ?? "text"), unset: shown, sentence: schema.description ?? "" };
  });
}

function variable<T>(form: string, fallback: string | undefined, read: (text: string) => T | undefined) {
  const expected = `expected ${form}`;
  return z
    .string({ error: expected })
    .optional()
    .transform((given, context) => {
      const text = given ?? fallback;
      const value = text === undefined ? undefined : read(text.trim());
      if (value === undefined) context.addIssue({ code: "custom", message: expected });
      return value as T;
    })
    .meta({ form, fallback: fallback ?? "" });
}

/** What a variable of this kind gives, or undefined when unset. */
function optional<T>(required: ReturnType<typeof variable<T>>, form: string) {
  return z
    .string()
    .optional()
    .transform((given, context) => {
      if (given === undefined) return undefined;
      const outcome = required.safeParse(given);
      if (outcome.success) return outcome.data;
      context.addIssue({ code: "custom", message: outcome.error.issues[0]?.message ?? `expected ${form}` });
      return z.NEVER;
    })
    .meta({ form, fallback: "" });
}

/** Whether a value is one that its variable may have. */
type Check = (given: string) => boolean;

/** Text, any unless there is a check; required when there is no default. */
export const text = (fallback?: string, form = "text", isRight: Check = () => true) =>
  variable(form, fallback, (given) => (isRight(given) ? given : undefined));

/** The same as it is written, or undefined when unset. */
export const optionalText = (form = "text", isRight: Check = () => true) =>
  z
    .string()
    .optional()
    .refine((given) => given === undefined || isRight(given), `expected ${form}`)
    .meta({ form, fallback: "" });

/** Text of a least length, or undefined when unset: for secrets that keys are derived from. */
export const optionalSecret = (minCharacters: number) =>
  optionalText(`at least ${minCharacters} characters`, (given) => given.trim().length >= minCharacters);

/** A whole number between bounds, inclusive. */
export const integer = (fallback: number | undefined, { min = 0, max = Number.MAX_SAFE_INTEGER } = {}) =>
  variable(
    max === Number.MAX_SAFE_INTEGER ? `a whole number of at least ${min}` : `a whole number from ${min} to ${max}`,
    fallback?.toString(),
    (given) => {
      const value = /^\d+$/.test(given) ? Number(given) : Number.NaN;
      return value >= min && value <= max ? value : undefined;
    },
  );

/** The same, or undefined when unset. */
export const optionalInteger = ({ min, max }: { min: number; max: number }) =>
  optional(integer(undefined, { min, max }), `a whole number from ${min} to ${max}`);

/** A TCP port; 0 lets the system choose. */
export const port = (fallback: number) => integer(fallback, { min: 0, max: 65_535 });

const booleans = new Map([
  ["true", true],
  ["1", true],
  ["yes", true],
  ["false", false],
  ["0", false],
  ["no", false],
]);

export const boolean = (fallback: boolean) =>
  variable("true or false", String(fallback), (given) => booleans.get(given.toLowerCase()));

export const oneOf = <const V extends string>(values: readonly V[], fallback: V) =>
  variable(`one of ${values.join(", ")}`, fallback, (given) => values.find((value) => value === given));

/** An absolute URL with one of the schemes given, without a trailing slash. */
export const url = (schemes: readonly string[], fallback?: string) =>
  variable(`a URL beginning with ${schemes.map((scheme) => `${scheme}://`).join(" or ")}`, fallback, (given) => {
    // The parser also takes http:host, without slashes, for an absolute URL.
    const scheme = /^([a-z]+):\/\//i.exec(given)?.[1]?.toLowerCase();
    // And a space for a part of its path.
    const isUrl = URL.canParse(given) && !/\s/.test(given);
    return scheme && schemes.includes(scheme) && isUrl ? given.replace(/\/+$/, "") : undefined;
  });

/** The same, or undefined when unset. */
export const optionalUrl = (schemes: readonly string[]) => optional(url(schemes), `a URL (${schemes.join(", ")})`);

/** Where a site is, or undefined when unset: a URL that can be gone on with, so without user, query and fragment. */
export const optionalSite = () => {
  const form = "a URL (http, https) without user, query and fragment";
  return optionalUrl(["http", "https"])
    .refine((given) => given === undefined || !/[?#@]/.test(given), `expected ${form}`)
    .meta({ form, fallback: "" });
};

/** A domain that addresses can have, in A-labels and lower case. */
export const domain = (fallback: string) =>
  variable("a domain such as mail.example.org", fallback, (given) => asciiDomain(given));

/** A year. */
const maxWaitS = 365 * 86_400;

/** Seconds, comma-separated: a schedule of waits. */
export const durations = (fallback: string) =>
  variable("seconds, comma-separated", fallback, (given) => {
    const parts = given.split(",").map((part) => part.trim());
    const isRight = (part: string) => /^\d+(\.\d+)?$/.test(part) && Number(part) <= maxWaitS;
    return parts.every(isRight) ? parts.map(Number) : undefined;
  });

/** ipaddr.js also reads 10/8 as 0.0.0.10/8, and 010.0.0.0/8 as 8.0.0.0/8. */
const cidrPattern = /^(?:[0-9a-f:]*:[0-9a-f:.]*|(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3})\/\d{1,3}$/i;

/** Address ranges in CIDR notation, comma-separated. */
export const cidrs = (fallback: string) =>
  variable("address ranges such as 10.0.0.0/8, comma-separated", fallback, (given) => {
    const ranges = given === "" ? [] : given.split(",").map((part) => part.trim());
    return ranges.every((range) => cidrPattern.test(range) && ipaddr.isValidCIDR(range)) ? ranges : undefined;
  });

/** Web origins (RFC 6454), comma-separated, or `*`; none when unset. In lower case, as browsers send them. */
export const origins = () =>
  variable("origins such as https://app.example, comma-separated, or *", "", (given) => {
    const named = given === "" ? [] : given.split(",").map((part) => part.trim().toLowerCase());
    const isOrigin = (each: string) => URL.canParse(each) && new URL(each).origin === each && !each.includes("*");
    return named.every((each) => each === "*" || isOrigin(each)) ? named : undefined;
  });

/** Names or addresses, comma-separated, each as it is read; none is empty. */
export const list = (fallback: string, form: string, read: (part: string) => string | undefined) =>
  variable(form, fallback, (given) => {
    const parts = given === "" ? [] : given.split(",").map((part) => read(part.trim()));
    return parts.every((part) => part !== undefined && part !== "") ? (parts as string[]) : undefined;
  });
