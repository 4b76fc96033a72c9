import { type FormEvent, useState } from "react";
import { Link } from "wouter";
import { CallbackAnswer } from "../binding/callback-answer.tsx";
import {
  AccountWebhook,
  type AccountWebhookQuery,
  RemoveAccountWebhook,
  SetAccountWebhook,
  TestAccountWebhook,
} from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { useFieldFaults } from "../parts/field-faults.ts";
import { Fault } from "../parts/notice.tsx";
import { RemoveThis } from "../parts/remove-this.tsx";
import { TextInput } from "../parts/text-input.tsx";
import { toast } from "../parts/toasts.tsx";
import { ToggleGroup } from "../parts/toggle-group.tsx";
import { useTexts } from "../texts/texts.tsx";

type Webhook = NonNullable<AccountWebhookQuery["accountWebhook"]>;

/** Where events go, and which of them; a test of it, and its end. */
export function WebhookForm({ webhook }: { webhook: Webhook | undefined }) {
  const { webhooks: t, common } = useTexts();
  const allKinds = Object.keys(t.kinds);
  const [url, setUrl] = useState(webhook?.url ?? "");
  // None stands for all.
  const [kinds, setKinds] = useState(webhook && webhook.kinds.length > 0 ? webhook.kinds : allKinds);
  const setting = useChange(SetAccountWebhook, [AccountWebhook], () => toast(t.saved));
  const trial = useChange(TestAccountWebhook);
  const faults = useFieldFaults(setting.error, "url");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setting.mutate({ input: { url: url.trim(), kinds: kinds.length === allKinds.length ? [] : kinds } });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <TextInput
        label={t.url}
        inputMode="url"
        placeholder="https://"
        value={url}
        onChange={setUrl}
        error={faults.at("url")}
        required
      />
      <p className="hint">{t.urlHint(<Link href="/settings">{t.secret}</Link>)}</p>
      <ToggleGroup label={t.which} options={t.kinds} selected={kinds} onChange={setKinds} />
      <Fault error={faults.rest ?? trial.error} />
      <div className="dialog-actions">
        {webhook && (
          <>
            <RemoveThis texts={t} operation={RemoveAccountWebhook} variables={{}} stale={[AccountWebhook]} look="quiet">
              <p>{t.removeLead}</p>
            </RemoveThis>
            <Button onClick={() => trial.mutate({})} isPending={trial.isPending}>
              {t.test}
            </Button>
          </>
        )}
        <Button look="primary" type="submit" isPending={setting.isPending}>
          {webhook?.offAt ? t.switchOn : common.save}
        </Button>
      </div>
      {trial.data?.testAccountWebhook && <CallbackAnswer answer={trial.data.testAccountWebhook} />}
    </form>
  );
}
