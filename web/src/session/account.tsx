import { createContext, type ReactNode, useContext } from "react";
import type { MeQuery } from "../graph/gen/operations.ts";

type Account = NonNullable<MeQuery["me"]>;

const AccountContext = createContext<Account | undefined>(undefined);

export function AccountProvider({ account, children }: { account: Account; children: ReactNode }) {
  return <AccountContext value={account}>{children}</AccountContext>;
}

/** The account that is signed in. */
export function useAccount(): Account {
  const account = useContext(AccountContext);
  if (!account) throw new Error("there is an account only behind the gate");
  return account;
}
