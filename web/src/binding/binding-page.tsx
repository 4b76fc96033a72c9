import { ProxyBinding } from "../graph/gen/operations.ts";
import { isRefusal } from "../graph/refusal.ts";
import { useGraph } from "../graph/use-graph.ts";
import { Inbox } from "../inbox/inbox.tsx";
import { NotFoundPage } from "../not-found-page.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { Expander } from "../parts/expander.tsx";
import { Loading } from "../parts/loading.tsx";
import { Fault } from "../parts/notice.tsx";
import { Page } from "../parts/page.tsx";
import { useTexts } from "../texts/texts.tsx";
import { BindingSettings } from "./binding-settings.tsx";
import { RealAddresses } from "./real-addresses.tsx";

/** One proxy address: its inbox, and what it does. */
export function BindingPage({ id }: { id: string }) {
  const { binding: t } = useTexts();
  const { data, error, refetch } = useGraph(ProxyBinding, { id });
  const binding = data?.proxyBinding;
  if (isRefusal(error, "NotFound")) return <NotFoundPage />;
  if (!binding)
    return error ? (
      <Page title={t.title}>
        <Fault error={error} onRetry={refetch} />
      </Page>
    ) : (
      <Loading />
    );
  const { proxyAddress, description } = binding;
  return (
    <Page title={proxyAddress} actions={<CopyButton text={proxyAddress} what={proxyAddress} />}>
      {description !== "" && <p className="lead">{description}</p>}
      <div className="columns">
        <Inbox binding={binding} />
        <section className="card side" aria-label={t.whatItDoes}>
          <RealAddresses binding={binding} />
          <Expander title={t.settings} about={proxyAddress}>
            <BindingSettings binding={binding} />
          </Expander>
        </section>
      </div>
    </Page>
  );
}
