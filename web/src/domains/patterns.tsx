import { Plus, X } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Domain, SetPatterns, type ShownDomainFragment } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { addressesIn } from "../parts/addresses-in.ts";
import { Button } from "../parts/button.tsx";
import { useFieldFaults } from "../parts/field-faults.ts";
import { Fault } from "../parts/notice.tsx";
import { TextInput } from "../parts/text-input.tsx";
import { toast } from "../parts/toasts.tsx";
import { Toggle } from "../parts/toggle.tsx";
import { useTexts } from "../texts/texts.tsx";

/** A pattern as it is being written. */
interface Draft {
  /** Only here: what React tells them apart by. */
  key: number;
  glob: string;
  targets: string;
  creates: boolean;
  perHour: string;
}

/** What the graph says can be wrong with a pattern. */
const fields = ["glob", "targets", "perHour"] as const;
const usualPerHour = 20;
let lastKey = 0;

function draft(glob: string, targets = "", creates = true, perHour = usualPerHour): Draft {
  lastKey += 1;
  return { key: lastKey, glob, targets, creates, perHour: String(perHour) };
}

/** What takes mail to addresses of a domain that do not exist yet. */
export function Patterns({ domain }: { domain: ShownDomainFragment }) {
  const { common, domains: t } = useTexts();
  const [drafts, setDrafts] = useState<readonly Draft[]>(() =>
    (domain.patterns ?? []).map(({ glob, targets, creates, perHour }) =>
      draft(glob, targets.join(", "), creates, perHour),
    ),
  );
  const change = useChange(SetPatterns, [Domain], () => toast(t.patternsSaved));
  const members = drafts.flatMap((_, at) => fields.map((field) => `patterns[${at}].${field}`));
  const faults = useFieldFaults(change.error, ...members);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const patterns = drafts.map(({ glob, targets, creates, perHour }) => ({
      glob: glob.trim(),
      targets: addressesIn(targets),
      creates,
      perHour: Number(perHour),
    }));
    change.mutate({ domainId: domain.id, patterns });
  };
  const set = (changed: Draft) => setDrafts(drafts.map((each) => (each.key === changed.key ? changed : each)));
  const add = (glob: string) => setDrafts([...drafts, draft(glob)]);
  return (
    <section className="panel card" aria-labelledby="patterns">
      <h2 id="patterns">{t.patterns}</h2>
      <p className="hint">{t.patternsLead}</p>
      <form className="stack" onSubmit={submit}>
        {drafts.length === 0 && <p>{t.noPatterns}</p>}
        {drafts.map((each, at) => (
          <PatternFields
            key={each.key}
            draft={each}
            faultAt={(field) => faults.at(`patterns[${at}].${field}`)}
            onChange={set}
            onRemove={() => setDrafts(drafts.filter(({ key }) => key !== each.key))}
          />
        ))}
        <div className="toolbar">
          <div>
            <Button look="quiet" onClick={() => add("")}>
              <Plus className="icon" aria-hidden="true" />
              {t.addPattern}
            </Button>
            {!drafts.some(({ glob }) => glob.trim() === "*") && (
              <Button look="quiet" onClick={() => add("*")}>
                {t.catchAll}
              </Button>
            )}
          </div>
          <Button look="primary" type="submit" isPending={change.isPending}>
            {common.save}
          </Button>
        </div>
        <Fault error={faults.rest} />
      </form>
    </section>
  );
}

interface PatternFieldsProps {
  draft: Draft;
  faultAt(field: (typeof fields)[number]): string | undefined;
  onChange(draft: Draft): void;
  onRemove(): void;
}

function PatternFields({ draft: shown, faultAt, onChange, onRemove }: PatternFieldsProps) {
  const { domains: t } = useTexts();
  return (
    <fieldset className="pattern" aria-label={t.pattern}>
      <div className="field-pair">
        <TextInput
          label={t.pattern}
          hint={t.patternHint}
          value={shown.glob}
          onChange={(glob) => onChange({ ...shown, glob })}
          error={faultAt("glob")}
          required
        />
        <TextInput
          label={t.patternTargets}
          hint={t.patternTargetsHint}
          value={shown.targets}
          onChange={(targets) => onChange({ ...shown, targets })}
          error={faultAt("targets")}
        />
        <TextInput
          label={t.patternPerHour}
          inputMode="numeric"
          pattern="[0-9]+"
          value={shown.perHour}
          onChange={(perHour) => onChange({ ...shown, perHour })}
          error={faultAt("perHour")}
          required
        />
      </div>
      <div className="toolbar">
        <div className="switch-line">
          <Toggle isSelected={shown.creates} onChange={(creates) => onChange({ ...shown, creates })}>
            {t.patternCreates}
          </Toggle>
          <p className="hint">{t.patternCreatesHint}</p>
        </div>
        <Button look="icon" aria-label={t.removePattern(shown.glob)} onClick={onRemove}>
          <X className="icon" aria-hidden="true" />
        </Button>
      </div>
    </fieldset>
  );
}
