import { Link } from "wouter";
import { BindingSettings } from "../binding/binding-settings.tsx";
import { RealAddresses } from "../binding/real-addresses.tsx";
import type { BindingFragment } from "../graph/gen/operations.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { Expander } from "../parts/expander.tsx";
import { useTexts } from "../texts/texts.tsx";

/** A proxy address on the board: where it leads, and under “Settings” everything that can be set. */
export function BindingCard({ binding }: { binding: BindingFragment }) {
  const { binding: texts, board: t } = useTexts();
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
      <ul className="badges" aria-label={t.badges}>
        <li className="badge">{t.received(receivedEmails)}</li>
        {isBrowsable && <li className="badge">{t.keepsCopy}</li>}
        {callbackUrl !== "" && <li className="badge">{t.webhook}</li>}
        {isAutomatic && <li className="badge">{t.automatic}</li>}
      </ul>
      <RealAddresses binding={binding} />
      <div className="binding-foot">
        <Link href={`/addresses/${id}`} className="button button-plain">
          {t.inbox}
          <span className="visually-hidden">{t.inboxOf(proxyAddress)}</span>
        </Link>
        <Expander title={texts.settings} about={proxyAddress}>
          <BindingSettings binding={binding} />
        </Expander>
      </div>
    </li>
  );
}
