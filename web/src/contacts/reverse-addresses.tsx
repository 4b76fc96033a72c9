import type { ShownContactFragment } from "../graph/gen/operations.ts";
import { Button } from "../parts/button.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { Fault } from "../parts/notice.tsx";
import { useTexts } from "../texts/texts.tsx";

interface ReverseAddressesProps {
  /** The proxy address. */
  from: string;
  contacts: readonly ShownContactFragment[];
  /** Why others were not made; null if all were. */
  error: unknown;
  subject?: string;
  onDone(): void;
}

/** Where to send an email to somebody, with one's own email program. */
export function ReverseAddresses({ from, contacts, subject, error, onDone }: ReverseAddressesProps) {
  const { contacts: t } = useTexts();
  const all = contacts.map(({ reverseAddress }) => reverseAddress);
  const query = subject === undefined ? "" : `?subject=${encodeURIComponent(subject)}`;
  return (
    <div className="stack">
      <p>{t.made}</p>
      <Fault error={error} />
      <ul className="rows">
        {contacts.map(({ id, address, reverseAddress }) => (
          <li key={id}>
            <span>
              <code>{reverseAddress}</code>
              <span className="hint">{` ${address}`}</span>
            </span>
            <CopyButton text={reverseAddress} what={t.reverseOf(address)} />
          </li>
        ))}
      </ul>
      <p className="hint">{t.madeLead(from)}</p>
      <div className="dialog-actions">
        {all.length > 1 && <CopyButton text={all.join(", ")} what={t.copyAll} label={t.copyAll} />}
        <a className="button button-plain" href={`mailto:${all.join(",")}${query}`}>
          {t.openProgram}
        </a>
        <Button look="primary" onClick={onDone}>
          {t.done}
        </Button>
      </div>
    </div>
  );
}
