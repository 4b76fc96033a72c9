import { type FormEvent, useRef, useState } from "react";
import { Link } from "wouter";
import {
  CreateProxyBinding,
  type CreateProxyBindingMutation,
  Domains,
  Me,
  ProxyBindings,
  SuggestedProxyAddress,
} from "../graph/gen/operations.ts";
import { useChange, useGraph } from "../graph/use-graph.ts";
import { addressesIn } from "../parts/addresses-in.ts";
import { Button } from "../parts/button.tsx";
import { copyText } from "../parts/copy-button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { useFieldFaults } from "../parts/field-faults.ts";
import { Fault } from "../parts/notice.tsx";
import { TextInput } from "../parts/text-input.tsx";
import { toast } from "../parts/toasts.tsx";
import { Toggle } from "../parts/toggle.tsx";
import { useAccount } from "../session/account.tsx";
import { useTexts } from "../texts/texts.tsx";

/** Makes an address: one click opens it with an address suggested, the second takes it. */
export function CreateDialog({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const { addresses: t } = useTexts();
  return (
    <Dialog title={t.newAddress} isOpen={isOpen} onClose={onClose}>
      <CreateForm onDone={onClose} />
    </Dialog>
  );
}

/** Everything is filled in: what is suggested can be taken as it is, even before it is there. */
function CreateForm({ onDone }: { onDone(): void }) {
  const { addresses: t, common } = useTexts();
  const { username } = useAccount();
  const suggestion = useGraph(SuggestedProxyAddress, {});
  const [chosen, setChosen] = useState<string>();
  const [realAddress, setRealAddress] = useState(username.includes("@") ? username : "");
  const [description, setDescription] = useState("");
  const [isBrowsable, setIsBrowsable] = useState(true);
  const creation = useChange(CreateProxyBinding, [ProxyBindings, Me]);
  const own = useGraph(Domains, {}).data?.domains?.filter(({ state }) => state === "verified") ?? [];
  const [suggestedLocalPart = "", serviceDomain] = suggestion.data?.suggestedProxyAddress?.split("@") ?? [];
  const address = chosen ?? suggestedLocalPart;
  const [chosenDomain, setChosenDomain] = useState<string>();
  const domain = address.includes("@") ? undefined : (chosenDomain ?? serviceDomain);
  // A local part alone is no address before its domain is known.
  const isDomainAwaited = suggestion.isPending && address.trim() !== "" && !address.includes("@");
  // A second press before the button shows the first would find the address that the first made.
  const isSending = useRef(false);
  const created = creation.data?.createProxyBinding;
  const existing = created?.isCreated === false ? created.proxyBinding : undefined;
  const faults = useFieldFaults(creation.error, "proxyAddress", "realAddresses", "description");
  const suggestAnother = async () => {
    await suggestion.refetch();
    setChosen(undefined);
  };
  const choose = (typed: string) => {
    setChosen(typed);
    if (existing || faults.at("proxyAddress") !== undefined) creation.reset();
  };
  // What was made is what one is about to paste somewhere.
  const tell = ({ createProxyBinding }: CreateProxyBindingMutation) => {
    // One that was there already is as it was: what was typed stays for another.
    if (createProxyBinding?.isCreated === false) return;
    onDone();
    const made = createProxyBinding?.proxyBinding.proxyAddress ?? "";
    void copyText(made).then(
      () => toast(t.createdAndCopied(made)),
      () => toast(t.created(made)),
    );
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isDomainAwaited || isSending.current) return;
    isSending.current = true;
    const realAddresses = addressesIn(realAddress);
    const localPart = address.trim();
    const proxyAddress = localPart === "" || domain === undefined ? localPart : `${localPart}@${domain}`;
    const input = { proxyAddress, realAddresses, description, isBrowsable, answers: true };
    const onSettled = () => {
      isSending.current = false;
    };
    creation.mutate({ input }, { onSuccess: tell, onSettled });
  };
  const fault = existing ? (
    <>
      {t.ownAlready} <Link href={`/addresses/${existing.id}`}>{t.openOwn}</Link>
    </>
  ) : (
    faults.at("proxyAddress")
  );
  return (
    <form className="stack" onSubmit={submit}>
      <div className="address-choice">
        <TextInput
          label={t.address}
          placeholder={t.addressPlaceholder}
          value={address}
          onChange={choose}
          suffix={
            domain === undefined || serviceDomain === undefined ? undefined : (
              <DomainChoice
                domains={[serviceDomain, ...own.map(({ name }) => name)]}
                value={domain}
                onChange={setChosenDomain}
              />
            )
          }
          error={fault}
          spellCheck="false"
        />
        <Button onClick={suggestAnother} isPending={suggestion.isFetching}>
          {t.generateAnother}
        </Button>
      </div>
      <TextInput
        label={t.forwardTo}
        hint={t.forwardToHint}
        value={realAddress}
        onChange={setRealAddress}
        error={faults.at("realAddresses")}
      />
      <TextInput
        label={t.description}
        hint={t.descriptionHint}
        value={description}
        onChange={setDescription}
        error={faults.at("description")}
      />
      <Toggle isSelected={isBrowsable} onChange={setIsBrowsable}>
        {t.keepCopy}
      </Toggle>
      <Fault error={faults.rest} />
      <div className="dialog-actions">
        <Button onClick={onDone}>{common.cancel}</Button>
        <Button look="primary" type="submit" isPending={creation.isPending || isDomainAwaited} autoFocus>
          {t.create}
        </Button>
      </div>
    </form>
  );
}

interface DomainChoiceProps {
  domains: readonly string[];
  value: string;
  onChange(domain: string): void;
}

/** What stands behind the local part: the service's domain, or a choice where there are domains of one's own. */
function DomainChoice({ domains, value, onChange }: DomainChoiceProps) {
  const { domains: t } = useTexts();
  if (domains.length === 1) return `@${value}`;
  return (
    <select className="input" aria-label={t.one} value={value} onChange={({ target }) => onChange(target.value)}>
      {domains.map((domain) => (
        <option key={domain} value={domain}>{`@${domain}`}</option>
      ))}
    </select>
  );
}
