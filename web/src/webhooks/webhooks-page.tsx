import { useRef } from "react";
import { Link } from "wouter";
import { AccountWebhook } from "../graph/gen/operations.ts";
import { useGraph } from "../graph/use-graph.ts";
import { DateTime } from "../parts/date-time.tsx";
import { Loading } from "../parts/loading.tsx";
import { Fault, Missing, Notice } from "../parts/notice.tsx";
import { Page } from "../parts/page.tsx";
import { useKeptFocus } from "../parts/use-kept-focus.ts";
import { useTexts } from "../texts/texts.tsx";
import { WebhookCallList } from "./webhook-calls.tsx";
import { WebhookForm } from "./webhook-form.tsx";

/** The account's webhook: where it leads, what it is told of, and what came of each event. */
export function WebhooksPage() {
  const { webhooks: t } = useTexts();
  const { data, error, missing, refetch } = useGraph(AccountWebhook, {});
  const webhook = data?.accountWebhook;
  const part = useRef<HTMLDivElement>(null);
  // The form is another for another URL.
  useKeptFocus(part);
  return (
    <Page title={t.title} actions={<Link href="/recorders">{t.testEndpoints}</Link>}>
      <p className="lead">{t.lead}</p>
      <Fault error={error} onRetry={refetch} />
      {!data && !error && <Loading />}
      {missing.length > 0 && <Missing what={t.what} onRetry={refetch} />}
      {webhook?.offAt && (
        <Notice tone="bad">
          <p>
            <strong>{t.off(<DateTime at={webhook.offAt} />)}</strong> {t.offReasons[webhook.offReason ?? ""]}
          </p>
        </Notice>
      )}
      <div ref={part}>
        {data && missing.length === 0 && <WebhookForm key={webhook?.url ?? ""} webhook={webhook ?? undefined} />}
      </div>
      {webhook && <WebhookCallList />}
    </Page>
  );
}
