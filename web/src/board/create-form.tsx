import { type FormEvent, useState } from "react";
import { Form } from "react-aria-components/Form";
import { CreateProxyBinding, Me, ProxyBindings, SuggestedProxyAddress } from "../graph/gen/operations.ts";
import { useChange, useGraph } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Fault } from "../parts/notice.tsx";
import { TextInput } from "../parts/text-input.tsx";
import { Toggle } from "../parts/toggle.tsx";
import { useAccount } from "../session/account.tsx";

/** Everything is filled in: what is suggested can be taken as it is, even before it is there. */
export function CreateForm({ onDone }: { onDone(): void }) {
  const { username } = useAccount();
  const suggestion = useGraph(SuggestedProxyAddress, {});
  const [chosen, setChosen] = useState<string>();
  const [realAddress, setRealAddress] = useState(username.includes("@") ? username : "");
  const [description, setDescription] = useState("");
  const [isBrowsable, setIsBrowsable] = useState(true);
  const creation = useChange(CreateProxyBinding, [ProxyBindings, Me]);
  const proxyAddress = chosen ?? suggestion.data?.suggestedProxyAddress ?? "";
  const suggestAnother = async () => {
    await suggestion.refetch();
    setChosen(undefined);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const realAddresses = realAddress.split(/[\s,;]+/).filter((each) => each !== "");
    const input = { proxyAddress: proxyAddress.trim(), realAddresses, description, isBrowsable };
    creation.mutate({ input }, { onSuccess: onDone });
  };
  return (
    <Form className="stack" onSubmit={submit}>
      <div className="inline-form">
        <TextInput
          label="Address"
          placeholder="One is made up"
          value={proxyAddress}
          onChange={setChosen}
          spellCheck="false"
        />
        <Button onPress={suggestAnother} isPending={suggestion.isFetching}>
          Another
        </Button>
      </div>
      <TextInput
        label="Forward to"
        hint="Several with a comma between them; empty to forward to nobody."
        value={realAddress}
        onChange={setRealAddress}
      />
      <TextInput
        label="Description"
        hint="Where you give it: a note to yourself."
        value={description}
        onChange={setDescription}
      />
      <Toggle isSelected={isBrowsable} onChange={setIsBrowsable}>
        Keep mail here to read
      </Toggle>
      <Fault error={creation.error} />
      <div className="dialog-actions">
        <Button onPress={onDone}>Cancel</Button>
        <Button look="primary" type="submit" isPending={creation.isPending} autoFocus>
          Create
        </Button>
      </div>
    </Form>
  );
}
