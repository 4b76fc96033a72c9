import { messageOf, ServiceError } from "../../platform/errors.ts";

/** What one look found. */
export interface CheckResult {
  check: string;
  isGood: boolean;
  /** What is right, or what is wrong, in a phrase. */
  detail: string;
}

/** Good with what `look` says, or bad with what it throws. */
export async function check(check: string, look: () => Promise<string>): Promise<CheckResult> {
  try {
    return { check, isGood: true, detail: await look() };
  } catch (error) {
    return { check, isGood: false, detail: forOperator(error) };
  }
}

export function forOperator(error: unknown): string {
  return error instanceof ServiceError ? (error.operatorMessage ?? error.publicMessage) : messageOf(error);
}
