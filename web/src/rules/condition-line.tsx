import { X } from "lucide-react";
import { Button } from "../parts/button.tsx";
import { Choice } from "../parts/choice.tsx";
import { TextInput } from "../parts/text-input.tsx";
import { useTexts } from "../texts/texts.tsx";
import { type ConditionDraft, sizes, verdictKinds } from "./rule-draft.ts";

interface ConditionLineProps {
  condition: ConditionDraft;
  error: string | undefined;
  onChange(condition: ConditionDraft): void;
  onRemove(): void;
}

/** One thing that has to hold: what is looked at, and what it has to be. */
export function ConditionLine({ condition, error, onChange, onRemove }: ConditionLineProps) {
  const { rules: t } = useTexts();
  const { kind, value } = condition;
  const isVerdict = verdictKinds.includes(kind);
  const change = (chosen: typeof kind) =>
    onChange({ ...condition, kind: chosen, value: verdictKinds.includes(chosen) ? "fail" : "" });
  return (
    <div className="condition">
      <Choice label={t.condition} options={t.kinds} value={kind} onChange={change} />
      {isVerdict ? (
        <Choice
          label={t.value}
          options={t.verdicts}
          value={value as keyof typeof t.verdicts}
          onChange={(verdict) => onChange({ ...condition, value: verdict })}
        />
      ) : (
        <TextInput
          label={t.kinds[kind]}
          isLabelHidden
          hint={t.hints[kind]}
          value={value}
          onChange={(typed) => onChange({ ...condition, value: typed })}
          error={error}
          required
          {...(sizes.includes(kind) ? { inputMode: "decimal", pattern: "[0-9]+([.][0-9]+)?" } : {})}
        />
      )}
      <Button look="icon" aria-label={t.removeCondition(t.kinds[kind])} onClick={onRemove}>
        <X className="icon" aria-hidden="true" />
      </Button>
    </div>
  );
}
