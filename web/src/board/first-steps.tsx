import type { BindingFragment } from "../graph/gen/operations.ts";
import { Button } from "../parts/button.tsx";
import { MailToTry } from "../parts/mail-to-try.tsx";

interface FirstStepsProps {
  /** The newest one; absent: there is none yet. */
  binding: BindingFragment | undefined;
  onCreate(): void;
}

/** What to do next, as long as nothing has ever arrived. */
export function FirstSteps({ binding, onCreate }: FirstStepsProps) {
  return (
    <section className="card first-steps" aria-labelledby="first-steps">
      <h2 id="first-steps">{binding ? "Now send it a mail" : "Begin with an address"}</h2>
      {binding ? (
        <MailToTry proxyAddress={binding.proxyAddress} />
      ) : (
        <>
          <ol>
            <li>Make an address. One is suggested, and yours is filled in as where its mail goes.</li>
            <li>Send a mail to it, from anywhere.</li>
            <li>Find it forwarded to you, and kept here to read.</li>
          </ol>
          <Button look="primary" onPress={onCreate}>
            Make your first address
          </Button>
        </>
      )}
    </section>
  );
}
