import { type FormEvent, useState } from "react";
import { Form } from "react-aria-components/Form";
import { CreateProxyBinding, Me, ProxyBindings, SuggestedProxyAddress } from "../graph/gen/operations.ts";
import { isRefusal, sentenceOf } from "../graph/refusal.ts";
import { useChange, useGraph } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Fault } from "../parts/notice.tsx";
import { TextInput } from "../parts/text-input.tsx";
import { Toggle } from "../parts/toggle.tsx";
import { useAccount } from "../session/account.tsx";
import { useTexts } from "../texts/texts.tsx";

/** Everything is filled in: what is suggested can be taken as it is, even before it is there. */
export function CreateForm({ onDone }: { onDone(): void }) {
  const { board: t, common, errors } = useTexts();
  const { username } = useAccount();
  const suggestion = useGraph(SuggestedProxyAddress, {});
  const [chosen, setChosen] = useState<string>();
  const [realAddress, setRealAddress] = useState(username.includes("@") ? username : "");
  const [description, setDescription] = useState("");
  const [isBrowsable, setIsBrowsable] = useState(true);
  const creation = useChange(CreateProxyBinding, [ProxyBindings, Me]);
  const [suggestedLocalPart = "", domain] = suggestion.data?.suggestedProxyAddress?.split("@") ?? [];
  const address = chosen ?? suggestedLocalPart;
  const suffix = domain === undefined || address.includes("@") ? undefined : `@${domain}`;
  const isTaken = isRefusal(creation.error, "AddressTaken");
  const suggestAnother = async () => {
    await suggestion.refetch();
    setChosen(undefined);
  };
  const choose = (typed: string) => {
    setChosen(typed);
    if (isTaken) creation.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const realAddresses = realAddress.split(/[\s,;]+/).filter((each) => each !== "");
    const localPart = address.trim();
    const proxyAddress = localPart === "" ? "" : `${localPart}${suffix ?? ""}`;
    const input = { proxyAddress, realAddresses, description, isBrowsable };
    creation.mutate({ input }, { onSuccess: onDone });
  };
  return (
    <Form className="stack" onSubmit={submit}>
      <div className="inline-form">
        <TextInput
          label={t.address}
          placeholder={t.addressPlaceholder}
          value={address}
          onChange={choose}
          suffix={suffix}
          error={isTaken ? sentenceOf(creation.error, errors) : undefined}
          spellCheck="false"
        />
        <Button onPress={suggestAnother} isPending={suggestion.isFetching}>
          {t.generateAnother}
        </Button>
      </div>
      <TextInput label={t.forwardTo} hint={t.forwardToHint} value={realAddress} onChange={setRealAddress} />
      <TextInput label={t.description} hint={t.descriptionHint} value={description} onChange={setDescription} />
      <Toggle isSelected={isBrowsable} onChange={setIsBrowsable}>
        {t.keepCopy}
      </Toggle>
      {!isTaken && <Fault error={creation.error} />}
      <div className="dialog-actions">
        <Button onPress={onDone}>{common.cancel}</Button>
        <Button look="primary" type="submit" isPending={creation.isPending} autoFocus>
          {t.create}
        </Button>
      </div>
    </Form>
  );
}
