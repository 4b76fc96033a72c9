import type { z } from "zod";
import { Refusal } from "../../platform/errors.ts";
import type { Account as AccountSchema } from "../contract.ts";

export type Account = z.output<typeof AccountSchema>;

export const accountColumns = `account.id, account.username, account.is_username_verified, account.is_operator_made, account.is_operator, account.disabled_at, account.created_at,
  exists (select from second_factor where account_id = account.id and confirmed_at is not null) as has_second_factor`;

export interface AccountRow {
  id: string;
  username: string;
  isUsernameVerified: boolean;
  isOperatorMade: boolean;
  isOperator: boolean;
  disabledAt: Date | null;
  createdAt: Date;
  hasSecondFactor: boolean;
}

/** @throws Refusal NotFound when there is no row. */
export function accountOf(row: AccountRow | undefined): Account {
  if (!row) throw noSuchAccount();
  return {
    id: row.id,
    username: row.username,
    isUsernameVerified: row.isUsernameVerified,
    isOperatorMade: row.isOperatorMade,
    isOperator: row.isOperator,
    hasSecondFactor: row.hasSecondFactor,
    isDisabled: row.disabledAt !== null,
    createdAt: row.createdAt.toISOString(),
  };
}

export function noSuchAccount(): Refusal {
  return new Refusal("NotFound", { public: "There is no such account." });
}
