import type { ReactNode } from "react";
import { Loading } from "../parts/loading.tsx";
import { Fault, Missing } from "../parts/notice.tsx";
import { useTexts } from "../texts/texts.tsx";

/** A list of the graph holds so many at most. */
const maxListed = 100;

interface OperatorListProps<Node> {
  answer: { error: unknown; isPending: boolean; refetch(): unknown };
  list: readonly Node[] | null | undefined;
  /** What is in it. */
  what: string;
  /** What stands there when it is empty. */
  none: string;
  children(list: readonly Node[]): ReactNode;
}

/** A list of the operator's area: while it is read, when it could not be read, and when there is nothing in it. */
export function OperatorList<Node>({ answer, list, what, none, children }: OperatorListProps<Node>) {
  const { operator: t } = useTexts();
  if (answer.error) return <Fault error={answer.error} onRetry={answer.refetch} />;
  if (answer.isPending) return <Loading what={what} />;
  if (!list) return <Missing what={what} onRetry={answer.refetch} />;
  if (list.length === 0) return <p className="empty">{none}</p>;
  return (
    <>
      {children(list)}
      {list.length === maxListed && <p className="hint">{t.onlyFirst(maxListed)}</p>}
    </>
  );
}
