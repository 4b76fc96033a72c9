import { Link } from "wouter";
import type { BindingFragment } from "../graph/gen/operations.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { TimeSince } from "../parts/date-time.tsx";
import { useTexts } from "../texts/texts.tsx";
import { isForwarding, offStateOf, realTargets } from "./forwarding.ts";

interface CellProps {
  binding: BindingFragment;
}

const mostLabels = 3;

/** The address, which leads to its page, and under it what its owner wrote of it. */
export function NameCell({ binding: { id, proxyAddress, description, usedOn } }: CellProps) {
  const { addresses: t } = useTexts();
  const [localPart = "", domain = ""] = proxyAddress.split("@");
  return (
    <div className="name-cell">
      <div className="name-line">
        <Link href={`/addresses/${id}`} className="row-link address">
          {localPart}
          <span className="name-domain">{`@${domain}`}</span>
        </Link>
        <CopyButton text={proxyAddress} what={proxyAddress} isIcon />
      </div>
      {(description !== "" || usedOn.length > 0) && (
        <div className="name-notes">
          {description !== "" && <span className="name-description">{description}</span>}
          {usedOn.length > 0 && (
            <ul className="badges" aria-label={t.labels}>
              {usedOn.slice(0, mostLabels).map((label) => (
                <li key={label} className="badge">
                  {label}
                </li>
              ))}
              {usedOn.length > mostLabels && <li className="badge">{`+${usedOn.length - mostLabels}`}</li>}
            </ul>
          )}
        </div>
      )}
    </div>
  );
}

/** Where its mail goes: the first, and how many more; what is wrong with one of them. */
export function TargetsCell({ binding }: CellProps) {
  const { addresses: t } = useTexts();
  const targets = realTargets(binding);
  const [first, ...others] = targets;
  const isOff = !isForwarding(binding);
  if (!first) return <span className="soft">{isOff ? t.off[offStateOf(binding)] : t.notForwarded}</span>;
  const isSuspended = targets.some(({ suspendedAt }) => suspendedAt !== null);
  const isUnverified = targets.some(({ isEnabled, isVerified }) => isEnabled && !isVerified);
  return (
    <div className="targets-cell">
      <span className="targets-line">
        <span className="clamp">{first.address}</span>{" "}
        {others.length > 0 && <span className="targets-more">{t.more(others.length)}</span>}
      </span>
      {isOff && <span className="soft">{t.off[offStateOf(binding)]}</span>}
      {isSuspended && <span className="state state-bad">{t.suspended}</span>}
      {!isSuspended && isUnverified && <span className="state state-waiting">{t.unverified}</span>}
    </div>
  );
}

/** How much of its mail could not be delivered lately. */
export function FailedCell({ binding: { id, mail } }: CellProps) {
  const { addresses: t } = useTexts();
  if (!mail || mail.failed === 0) return null;
  return (
    <Link href={`/failures?address=${id}`} className="state state-bad">
      {t.failedEmails(mail.failed)}
    </Link>
  );
}

/** When mail last came. */
export function LastCell({ binding: { lastReceivedAt } }: CellProps) {
  const { addresses: t } = useTexts();
  if (lastReceivedAt === null) return <span className="soft">{t.never}</span>;
  return <TimeSince at={lastReceivedAt} />;
}
