import { type FormEvent, useState } from "react";
import { Form } from "react-aria-components/Form";
import { DisableTwoFactor, Me } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Fault } from "../parts/notice.tsx";
import { TextInput } from "../parts/text-input.tsx";

export function SecondFactorOff() {
  const [code, setCode] = useState("");
  const disable = useChange(DisableTwoFactor, [Me]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    disable.mutate({ code: code.trim() });
  };
  return (
    <>
      <p className="state state-good">It is on.</p>
      <Form className="inline-form" onSubmit={submit}>
        <TextInput
          label="Code to turn it off"
          hint="From your authenticator, or a recovery code."
          autoComplete="one-time-code"
          value={code}
          onChange={setCode}
          isRequired
        />
        <Button look="danger" type="submit" isPending={disable.isPending}>
          Turn it off
        </Button>
      </Form>
      <Fault error={disable.error} />
    </>
  );
}
