import { expect } from "@jest/globals";

/** Values as cases for test.each, each with a title that stays short however large the value is. */
export function titled<T>(values: readonly T[]): [string, T][] {
  return values.map((value) => [(JSON.stringify(value) ?? "undefined").slice(0, 80), value]);
}

/** Cases of a member and a value for it, with a title as above in front. */
export function titledMembers<T>(cases: readonly (readonly [string, T])[]): [string, string, T][] {
  return cases.map(([member, value]) => [`${member}: ${JSON.stringify(value)}`.slice(0, 120), member, value]);
}

/** The message of a refusal that names the member which is wrong. */
export function naming(member: string): unknown {
  return expect.stringMatching(new RegExp(`^${member.replaceAll(/[.[\]]/g, "\\$&")}: .*\\.$`, "s"));
}

/** One case of a member for each value. */
export function valuesOf(member: string, values: readonly unknown[]): [string, unknown][] {
  return values.map((value) => [member, value]);
}
