import { type FormEvent, useState } from "react";
import { DisableTwoFactor, Me } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Fault } from "../parts/notice.tsx";
import { TextInput } from "../parts/text-input.tsx";
import { useTexts } from "../texts/texts.tsx";

export function SecondFactorOff() {
  const { common, settings: t } = useTexts();
  const [code, setCode] = useState("");
  const disable = useChange(DisableTwoFactor, [Me]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    disable.mutate({ code: code.trim() });
  };
  return (
    <>
      <p className="state state-good">{t.enabled}</p>
      <form className="inline-form" onSubmit={submit}>
        <TextInput
          label={t.codeToDisable}
          hint={common.codeHint}
          autoComplete="one-time-code"
          value={code}
          onChange={setCode}
          required
        />
        <Button look="danger" type="submit" isPending={disable.isPending}>
          {t.disable}
        </Button>
      </form>
      <Fault error={disable.error} />
    </>
  );
}
