import { Plus } from "lucide-react";
import { type FormEvent, useState } from "react";
import { CreateRule, Domains, Rules, type ShownRuleFragment, UpdateRule } from "../graph/gen/operations.ts";
import { useChange, useGraph } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Choice } from "../parts/choice.tsx";
import { useFieldFaults } from "../parts/field-faults.ts";
import { Fault } from "../parts/notice.tsx";
import { TextInput } from "../parts/text-input.tsx";
import { useTexts } from "../texts/texts.tsx";
import { ConditionLine } from "./condition-line.tsx";
import { DryRun } from "./dry-run.tsx";
import { draftOf, emptyDraft, extrasOf, inputOf, newCondition, type RuleDraft, verdictKinds } from "./rule-draft.ts";

interface RuleFormProps {
  /** Absent: a new one. */
  rule?: ShownRuleFragment;
  /** Whose address a new one is for. */
  bindingId?: string;
  onDone(): void;
}

const ownMembers = ["name", "actions.forwardTo", "actions.tagSubject", "actions.limitPerHour"];

/** What a rule looks for, and what it does then. */
export function RuleForm({ rule, bindingId, onDone }: RuleFormProps) {
  const { common, rules: t } = useTexts();
  const [draft, setDraft] = useState<RuleDraft>(() => (rule ? draftOf(rule) : emptyDraft()));
  const [domainId, setDomainId] = useState("");
  const { hasTag, hasLimit } = extrasOf(draft.action);
  const creation = useChange(CreateRule, [Rules], onDone);
  const change = useChange(UpdateRule, [Rules], onDone);
  const typed = draft.conditions.filter(({ kind }) => !verdictKinds.includes(kind));
  const members = [...ownMembers, ...typed.map(({ kind }) => `conditions.${kind}`)];
  const faults = useFieldFaults(creation.error ?? change.error, ...members);
  const set = (changed: Partial<RuleDraft>) => setDraft({ ...draft, ...changed });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const input = inputOf(draft);
    if (rule) change.mutate({ id: rule.id, input });
    else creation.mutate({ input: { ...input, bindingId: bindingId ?? null, domainId: domainId || null } });
  };
  return (
    <form className="stack" onSubmit={submit}>
      {!rule && bindingId === undefined && <ScopeChoice domainId={domainId} onChange={setDomainId} />}
      <fieldset className="conditions">
        <legend>{t.conditions}</legend>
        {draft.conditions.map((condition) => (
          <ConditionLine
            key={condition.key}
            condition={condition}
            error={faults.at(`conditions.${condition.kind}`)}
            onChange={(changed) =>
              set({ conditions: draft.conditions.map((each) => (each.key === condition.key ? changed : each)) })
            }
            onRemove={() => set({ conditions: draft.conditions.filter(({ key }) => key !== condition.key) })}
          />
        ))}
        <Button
          look="quiet"
          onClick={() => set({ conditions: [...draft.conditions, newCondition("subjectContains")] })}
        >
          <Plus className="icon" aria-hidden="true" />
          {t.addCondition}
        </Button>
      </fieldset>
      <div className="field">
        <span className="label">{t.action}</span>
        <Choice label={t.action} options={t.actions} value={draft.action} onChange={(action) => set({ action })} />
      </div>
      {draft.action === "forwardTo" && (
        <TextInput
          label={t.forwardTo}
          hint={t.forwardToHint}
          value={draft.forwardTo}
          onChange={(forwardTo) => set({ forwardTo })}
          error={faults.at("actions.forwardTo")}
          required
        />
      )}
      {hasLimit && (
        <div className="field-pair">
          {hasTag && (
            <TextInput
              label={t.tagSubject}
              hint={t.tagSubjectHint}
              value={draft.tagSubject}
              onChange={(tagSubject) => set({ tagSubject })}
              error={faults.at("actions.tagSubject")}
            />
          )}
          <TextInput
            label={t.limit}
            hint={t.limitHint}
            inputMode="numeric"
            pattern="[0-9]*"
            value={draft.limit}
            onChange={(limit) => set({ limit })}
            error={faults.at("actions.limitPerHour")}
          />
        </div>
      )}
      <TextInput
        label={t.name}
        hint={t.nameHint}
        value={draft.name}
        onChange={(name) => set({ name })}
        error={faults.at("name")}
      />
      <DryRun
        read={() => ({
          bindingId: rule?.binding?.id ?? bindingId ?? null,
          domainId: rule?.domain?.id ?? (domainId || null),
          conditions: inputOf(draft).conditions,
        })}
      />
      <Fault error={faults.rest} />
      <div className="dialog-actions">
        <Button onClick={onDone}>{common.cancel}</Button>
        <Button look="primary" type="submit" isPending={creation.isPending || change.isPending}>
          {common.save}
        </Button>
      </div>
    </form>
  );
}

/** All addresses, or those of a domain of one's own. */
function ScopeChoice({ domainId, onChange }: { domainId: string; onChange(domainId: string): void }) {
  const { rules: t } = useTexts();
  const domains = useGraph(Domains, {}).data?.domains ?? [];
  if (domains.length === 0) return null;
  const options = Object.fromEntries([["", t.forAll], ...domains.map(({ id, name }) => [id, t.forDomain(name)])]);
  return (
    <div className="field">
      <span className="label">{t.scope}</span>
      <Choice label={t.scope} options={options} value={domainId} onChange={onChange} />
    </div>
  );
}
