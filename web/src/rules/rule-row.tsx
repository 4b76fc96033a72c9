import { ArrowDown, ArrowUp, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { DeleteRule, MoveRule, Rules, type ShownRuleFragment } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { TimeSince } from "../parts/date-time.tsx";
import { Fault } from "../parts/notice.tsx";
import { useTexts } from "../texts/texts.tsx";
import { actionOf, conditionsOf } from "./rule-draft.ts";

interface RuleRowProps {
  rule: ShownRuleFragment;
  index: number;
  isLast: boolean;
  onEdit(): void;
}

export function RuleRow({ rule, index, isLast, onEdit }: RuleRowProps) {
  const { rules: t } = useTexts();
  const [isAsking, setIsAsking] = useState(false);
  const move = useChange(MoveRule, [Rules]);
  const removal = useChange(DeleteRule, [Rules], () => setIsAsking(false));
  const { id, hits, lastHitAt } = rule;
  const words = useRuleWords(rule);
  const title = rule.name === "" ? words.conditions : rule.name;
  return (
    <li className="rule">
      <div className="rule-what">
        <strong>{title}</strong>
        {rule.name !== "" && <span className="hint">{words.conditions}</span>}
        <span className="rule-does">{words.actions}</span>
        <span className="hint">
          {hits === 0 ? t.notHit : t.hits(hits, lastHitAt === null ? null : t.lastHit(<TimeSince at={lastHitAt} />))}
        </span>
      </div>
      <div className="rule-buttons">
        <Button
          look="icon"
          aria-label={t.up(title)}
          disabled={index === 0}
          onClick={() => move.mutate({ id, position: index - 1 })}
        >
          <ArrowUp className="icon" aria-hidden="true" />
        </Button>
        <Button
          look="icon"
          aria-label={t.down(title)}
          disabled={isLast}
          onClick={() => move.mutate({ id, position: index + 1 })}
        >
          <ArrowDown className="icon" aria-hidden="true" />
        </Button>
        <Button look="icon" aria-label={t.editWhat(title)} onClick={onEdit}>
          <Pencil className="icon" aria-hidden="true" />
        </Button>
        <Button look="icon" aria-label={t.removeWhat(title)} onClick={() => setIsAsking(true)}>
          <Trash2 className="icon" aria-hidden="true" />
        </Button>
      </div>
      <Fault error={move.error} />
      <ConfirmDialog
        title={t.removeTitle}
        action={t.removeAction}
        isOpen={isAsking}
        isPending={removal.isPending}
        error={removal.error}
        onConfirm={() => removal.mutate({ id })}
        onClose={() => setIsAsking(false)}
      >
        <p>{t.removeLead(<strong>{title}</strong>)}</p>
      </ConfirmDialog>
    </li>
  );
}

/** What a rule looks for and does, in the reader's language. */
function useRuleWords({ conditions, actions }: ShownRuleFragment): { conditions: string; actions: string } {
  const { rules: t } = useTexts();
  const found = conditionsOf(conditions).map(({ kind, text }) => `${t.kinds[kind]}: ${text}`);
  const action = actionOf(actions);
  const done = [
    ...(action === "none"
      ? []
      : [action === "forwardTo" ? t.does.forwardTo(actions.forwardTo.join(", ")) : t.actions[action]]),
    ...(actions.tagSubject === null ? [] : [t.does.tagSubject(actions.tagSubject)]),
    ...(actions.limitPerHour === null ? [] : [t.does.limit(actions.limitPerHour)]),
  ];
  return {
    conditions: found.length === 0 ? t.always : found.join("; "),
    actions: done.length === 0 ? t.actions.none : done.join(", "),
  };
}
