import { type BindingFragment, ProxyBinding, ProxyBindings, ResendVerification } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Fault } from "../parts/notice.tsx";
import { Toggle } from "../parts/toggle.tsx";
import { useTexts } from "../texts/texts.tsx";

type RealAddress = BindingFragment["realAddresses"][number];

interface RealAddressRowProps {
  bindingId: string;
  real: RealAddress;
  /** What it is, or is just being switched to. */
  isEnabled: boolean;
  onEnabledChange(isEnabled: boolean): void;
  isSaving: boolean;
  /** Absent: it is the only one. */
  onRemove?: (() => void) | undefined;
}

export function RealAddressRow({
  bindingId,
  real,
  isEnabled,
  onEnabledChange,
  isSaving,
  onRemove,
}: RealAddressRowProps) {
  const { binding: t, common } = useTexts();
  const { address, isVerificationNeeded } = real;
  const resend = useChange(ResendVerification, [ProxyBindings, ProxyBinding]);
  return (
    <li className="real-address">
      <div className="real-address-facts">
        <Toggle isSelected={isEnabled} onChange={onEnabledChange} isSaving={isSaving}>
          <span className="address">{address}</span>
        </Toggle>
        <VerificationState real={real} />
        {isVerificationNeeded &&
          (resend.isSuccess ? (
            <span className="hint" role="status">
              {t.linkSent}
            </span>
          ) : (
            <Button
              look="quiet"
              aria-label={t.resendLinkTo(address)}
              onClick={() => resend.mutate({ proxyBindingId: bindingId, address })}
              isPending={resend.isPending}
            >
              {t.resendLink}
            </Button>
          ))}
      </div>
      {onRemove && (
        <Button look="quiet" aria-label={t.removeWhat(address)} onClick={onRemove}>
          {common.remove}
        </Button>
      )}
      <Fault error={resend.error} />
    </li>
  );
}

function VerificationState({ real: { isVerified, isVerificationNeeded, suspendedAt } }: { real: RealAddress }) {
  const { binding: t } = useTexts();
  if (suspendedAt) return <span className="state state-bad">{t.suspended}</span>;
  if (isVerified) return <span className="state state-good">{t.verified}</span>;
  if (isVerificationNeeded) return <span className="state state-waiting">{t.notVerified}</span>;
  return <span className="state">{t.notForwarded}</span>;
}
