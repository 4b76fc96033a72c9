import { type BindingFragment, ProxyBinding, ProxyBindings, ResendVerification } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Fault } from "../parts/notice.tsx";
import { Toggle } from "../parts/toggle.tsx";

type RealAddress = BindingFragment["realAddresses"][number];

interface RealAddressRowProps {
  bindingId: string;
  real: RealAddress;
  /** What it is, or is just being switched to. */
  isEnabled: boolean;
  onEnabledChange(isEnabled: boolean): void;
}

export function RealAddressRow({ bindingId, real, isEnabled, onEnabledChange }: RealAddressRowProps) {
  const { address, isVerificationNeeded } = real;
  const resend = useChange(ResendVerification, [ProxyBindings, ProxyBinding]);
  return (
    <li className="real-address">
      <Toggle isSelected={isEnabled} onChange={onEnabledChange}>
        <span className="address">{address}</span>
      </Toggle>
      <VerificationState real={real} />
      {isVerificationNeeded &&
        (resend.isSuccess ? (
          <span className="hint" role="status">
            Link sent.
          </span>
        ) : (
          <Button
            look="quiet"
            aria-label={`Send the link again to ${address}`}
            onPress={() => resend.mutate({ proxyBindingId: bindingId, address })}
            isPending={resend.isPending}
          >
            Send the link again
          </Button>
        ))}
      <Fault error={resend.error} />
    </li>
  );
}

function VerificationState({ real: { isVerified, isVerificationNeeded, suspendedAt } }: { real: RealAddress }) {
  if (suspendedAt) return <span className="state state-bad">Switched off: it refused mail for good</span>;
  if (isVerified) return <span className="state state-good">Verified</span>;
  if (isVerificationNeeded) return <span className="state state-waiting">Not verified yet</span>;
  return <span className="state">Stays here: forwarded to nobody</span>;
}
