import { useState } from "react";
import { type OperatedAccountFragment, OperatorAccounts, SetAccountDisabled } from "../graph/gen/operations.ts";
import { useChange, useGraph } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { DataTable } from "../parts/data-table.tsx";
import { TimeSince } from "../parts/date-time.tsx";
import { Fault } from "../parts/notice.tsx";
import { SearchInput } from "../parts/search-input.tsx";
import { useDebounced } from "../parts/use-debounced.ts";
import { useAccount } from "../session/account.tsx";
import { useTexts } from "../texts/texts.tsx";
import { OperatorList } from "./operator-list.tsx";

/** Every account, with a switch for each but the operator's own. */
export function OperatedAccounts() {
  const { operator: t } = useTexts();
  const { id: ownId } = useAccount();
  const [typed, setTyped] = useState("");
  const search = useDebounced(typed.trim());
  const answer = useGraph(OperatorAccounts, { search });
  const [asked, setAsked] = useState<OperatedAccountFragment>();
  const change = useChange(SetAccountDisabled, [OperatorAccounts], () => setAsked(undefined));
  const rows = (accounts: readonly OperatedAccountFragment[]) =>
    accounts.map((account) => ({
      id: account.id,
      cells: [
        <bdi key="name">{account.username}</bdi>,
        <States key="states" account={account} />,
        <TimeSince key="created" at={account.createdAt} />,
        account.lastSignInAt === null ? t.notSignedIn : <TimeSince key="seen" at={account.lastSignInAt} />,
        account.id === ownId ? (
          <span key="own" className="hint">
            {t.ownAccount}
          </span>
        ) : account.isDisabled ? (
          <Button
            key="enable"
            look="quiet"
            onClick={() => change.mutate({ id: account.id, isDisabled: false })}
            aria-label={t.enableWhat(account.username)}
          >
            {t.enable}
          </Button>
        ) : (
          <Button
            key="disable"
            look="quiet"
            onClick={() => setAsked(account)}
            aria-label={t.disableWhat(account.username)}
          >
            {t.disable}
          </Button>
        ),
      ],
    }));
  return (
    <>
      <div className="toolbar">
        <SearchInput label={t.searchAccounts} value={typed} onChange={setTyped} />
      </div>
      {!asked && <Fault error={change.error} />}
      <OperatorList answer={answer} list={answer.data?.operator?.accounts} what={t.views.accounts} none={t.noAccounts}>
        {(accounts) => <DataTable name={t.views.accounts} columns={t.accountColumns} rows={rows(accounts)} />}
      </OperatorList>
      <ConfirmDialog
        title={t.disableTitle}
        action={t.disableAction}
        isOpen={asked !== undefined}
        isPending={change.isPending}
        error={change.error}
        onConfirm={() => asked && change.mutate({ id: asked.id, isDisabled: true })}
        onClose={() => setAsked(undefined)}
      >
        <p>{t.disableLead(<strong>{asked?.username}</strong>)}</p>
      </ConfirmDialog>
    </>
  );
}

function States({ account }: { account: OperatedAccountFragment }) {
  const { operator: t } = useTexts();
  const { isDisabled, isOperator, isUsernameVerified, twoFactorEnabled } = account;
  return (
    <span className="states">
      <span className={`state ${isDisabled ? "state-bad" : "state-good"}`}>{isDisabled ? t.disabled : t.active}</span>
      {isOperator && <span className="state">{t.isOperator}</span>}
      {!isUsernameVerified && <span className="state state-waiting">{t.unconfirmed}</span>}
      {twoFactorEnabled && <span className="state">{t.twoFactor}</span>}
    </span>
  );
}
