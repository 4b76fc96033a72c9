import { ListFilter, Plus } from "lucide-react";
import { useRef, useState } from "react";
import { Rules, type ShownRuleFragment } from "../graph/gen/operations.ts";
import { useGraph } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { Fault, Missing } from "../parts/notice.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { useKeptFocus } from "../parts/use-kept-focus.ts";
import { useTexts } from "../texts/texts.tsx";
import { RuleForm } from "./rule-form.tsx";
import { RuleRow } from "./rule-row.tsx";

/** @param bindingId the address whose own rules are shown; absent: all of the account's */
export function RuleList({ bindingId }: { bindingId?: string }) {
  const { rules: t } = useTexts();
  const { data, error, refetch } = useGraph(Rules, bindingId === undefined ? {} : { bindingId });
  const [edited, setEdited] = useState<ShownRuleFragment | "new">();
  const part = useRef<HTMLDivElement>(null);
  useKeptFocus(part);
  const close = () => setEdited(undefined);
  const rules = data?.rules ?? [];
  const create = (
    <Button look="primary" onClick={() => setEdited("new")}>
      <Plus className="icon" aria-hidden="true" />
      {t.create}
    </Button>
  );
  return (
    <div className="stack" ref={part}>
      <Fault error={error} onRetry={refetch} />
      {!data && !error && <Skeleton what={t.loading} rows={3} />}
      {data && data.rules === null && <Missing what={t.what} onRetry={refetch} />}
      {data?.rules?.length === 0 && (
        <EmptyState icon={ListFilter} title={t.none} action={create}>
          {t.noneLead}
        </EmptyState>
      )}
      {rules.length > 0 && <div>{create}</div>}
      {groupsOf(rules).map(({ key, rule: { binding, domain }, rules: grouped }) => {
        const name = binding?.proxyAddress ?? (domain ? t.forDomain(domain.name) : t.forAll);
        return (
          <section key={key} className="rule-group" aria-label={name}>
            {bindingId === undefined && <h2>{name}</h2>}
            <ol className="rules">
              {grouped.map((rule, index) => (
                <RuleRow
                  key={rule.id}
                  rule={rule}
                  index={index}
                  isLast={index === grouped.length - 1}
                  onEdit={() => setEdited(rule)}
                />
              ))}
            </ol>
          </section>
        );
      })}
      <Dialog title={edited === "new" ? t.create : t.editRule} isOpen={edited !== undefined} onClose={close}>
        <RuleForm
          key={edited === "new" ? "new" : edited?.id}
          {...(edited === "new" || edited === undefined ? {} : { rule: edited })}
          {...(bindingId === undefined ? {} : { bindingId })}
          onDone={close}
        />
      </Dialog>
    </div>
  );
}

interface RuleGroup {
  key: string;
  /** Any of them: they have the same scope. */
  rule: ShownRuleFragment;
  rules: ShownRuleFragment[];
}

/** Rules by what they are for, each group in its order: addresses first, as they are tried. */
function groupsOf(rules: readonly ShownRuleFragment[]): RuleGroup[] {
  const groups = new Map<string, RuleGroup>();
  for (const rule of rules) {
    const key = rule.binding?.id ?? rule.domain?.id ?? "";
    const group = groups.get(key) ?? { key, rule, rules: [] };
    group.rules.push(rule);
    groups.set(key, group);
  }
  const rank = ({ rule }: RuleGroup) => (rule.binding ? 0 : rule.domain ? 1 : 2);
  return [...groups.values()].sort((one, other) => rank(one) - rank(other));
}
