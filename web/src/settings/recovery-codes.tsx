import { Button } from "../parts/button.tsx";
import { CopyButton } from "../parts/copy-button.tsx";

/** Shown once. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone(): void }) {
  return (
    <div className="stack" role="status">
      <p>
        <strong>The second factor is on.</strong> Keep these codes where you find them without your authenticator. Each
        lets you in once; they are not shown again.
      </p>
      <ul className="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="dialog-actions">
        <CopyButton text={codes.join("\n")} what="the recovery codes" />
        <Button look="primary" onPress={onDone}>
          I have kept them
        </Button>
      </div>
    </div>
  );
}
