import { type BindingFragment, DeleteProxyBinding, Me, ProxyBindings } from "../graph/gen/operations.ts";
import { RemoveThis } from "../parts/remove-this.tsx";
import { useTexts } from "../texts/texts.tsx";
import { AnsweringSettings } from "./answering-settings.tsx";
import { CallbackSettings } from "./callback-settings.tsx";
import { DescriptionForm } from "./description-form.tsx";
import { LabelsForm } from "./labels-form.tsx";
import { RealAddressForm } from "./real-address-form.tsx";
import { RealAddresses } from "./real-addresses.tsx";
import { SettingToggle } from "./setting-toggle.tsx";

/** Everything of an address that can be set. */
export function AddressSettings({ binding }: { binding: BindingFragment }) {
  const { binding: t, answering } = useTexts();
  return (
    <div className="narrow">
      <section className="card panel" aria-label={t.forwardsTo}>
        <RealAddresses binding={binding} />
        <RealAddressForm binding={binding} />
        <SettingToggle binding={binding} name="isBrowsable" label={t.keepCopy} hint={t.keepCopyHint} />
      </section>
      <section className="card panel" aria-labelledby="answering">
        <h2 id="answering">{answering.title}</h2>
        <p className="hint">{answering.lead}</p>
        <AnsweringSettings binding={binding} />
      </section>
      <section className="card panel" aria-label={t.notes}>
        <DescriptionForm binding={binding} />
        <LabelsForm binding={binding} />
      </section>
      <section className="card panel" aria-labelledby="webhook">
        <h2 id="webhook">{t.webhook}</h2>
        <CallbackSettings binding={binding} />
      </section>
      <RemoveThis
        texts={t}
        operation={DeleteProxyBinding}
        variables={{ id: binding.id }}
        stale={[ProxyBindings, Me]}
        next="/"
      >
        <p>{t.removeLead(<strong className="address">{binding.proxyAddress}</strong>)}</p>
        <p>{t.removeRest}</p>
      </RemoveThis>
    </div>
  );
}
