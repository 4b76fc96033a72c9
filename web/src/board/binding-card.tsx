import { Link } from "wouter";
import { BindingSettings } from "../binding/binding-settings.tsx";
import { RealAddresses } from "../binding/real-addresses.tsx";
import type { BindingFragment } from "../graph/gen/operations.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { Expander } from "../parts/expander.tsx";

/** A proxy address on the board: where it leads, and under “Change” everything that can be set. */
export function BindingCard({ binding }: { binding: BindingFragment }) {
  const { id, proxyAddress, description, isBrowsable, callbackUrl, isAutomatic, receivedEmails } = binding;
  return (
    <li className="card binding">
      <div className="binding-head">
        <h2 className="address">
          <Link href={`/addresses/${id}`}>{proxyAddress}</Link>
        </h2>
        <CopyButton text={proxyAddress} what={proxyAddress} />
      </div>
      {description !== "" && <p className="binding-description">{description}</p>}
      <ul className="badges" aria-label="What it does">
        <li className="badge">{receivedEmails === 1 ? "1 mail received" : `${receivedEmails} mails received`}</li>
        {isBrowsable && <li className="badge">Keeps mail to read</li>}
        {callbackUrl !== "" && <li className="badge">Calls a URL</li>}
        {isAutomatic && <li className="badge">Made for you</li>}
      </ul>
      <RealAddresses binding={binding} />
      <div className="binding-foot">
        <Link href={`/addresses/${id}`} className="button button-plain">
          Inbox<span className="visually-hidden"> of {proxyAddress}</span>
        </Link>
        <Expander title="Change" about={proxyAddress}>
          <BindingSettings binding={binding} />
        </Expander>
      </div>
    </li>
  );
}
