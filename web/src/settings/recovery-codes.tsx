import { Button } from "../parts/button.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { useTexts } from "../texts/texts.tsx";

/** Shown once. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone(): void }) {
  const { settings: t } = useTexts();
  return (
    <div className="stack" role="status">
      <p>
        <strong>{t.codesTitle}</strong> {t.codesLead}
      </p>
      <ul className="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="dialog-actions">
        <CopyButton text={codes.join("\n")} what={t.theCodes} />
        <Button look="primary" onClick={onDone}>
          {t.codesSaved}
        </Button>
      </div>
    </div>
  );
}
