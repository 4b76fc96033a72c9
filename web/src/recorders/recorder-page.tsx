import { DeleteRecorder, Recorder, Recorders } from "../graph/gen/operations.ts";
import { isRefusal } from "../graph/refusal.ts";
import { useGraph } from "../graph/use-graph.ts";
import { NotFoundPage } from "../not-found-page.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { Loading } from "../parts/loading.tsx";
import { Fault, Missing } from "../parts/notice.tsx";
import { Page } from "../parts/page.tsx";
import { RemoveThis } from "../parts/remove-this.tsx";
import { useTexts } from "../texts/texts.tsx";
import { RecordedCall } from "./recorded-call.tsx";

/** Calls are not told by the server as they come: they are looked for while the page is open. */
const lookMs = 2_000;

/** One recorder, and its calls as they come in. */
export function RecorderPage({ id }: { id: string }) {
  const { recorders: t } = useTexts();
  const { data, error, refetch } = useGraph(Recorder, { id }, () => lookMs);
  const recorder = data?.recorder;
  if (isRefusal(error, "NotFound")) return <NotFoundPage />;
  const removal = recorder && (
    <RemoveThis
      texts={t}
      operation={DeleteRecorder}
      variables={{ id: recorder.id }}
      stale={[Recorders]}
      next="/recorders"
    >
      <p>{t.removeLead}</p>
    </RemoveThis>
  );
  return (
    <Page title={t.one} actions={removal}>
      <Fault error={error} onRetry={refetch} />
      {!recorder && !error && <Loading />}
      {recorder && (
        <>
          <UrlLine name={t.callUrl} hint={t.callUrlHint} url={recorder.callUrl} />
          <UrlLine name={t.getUrl} hint={t.getUrlHint} url={recorder.getUrl} />
          <h2>{t.calls}</h2>
          {recorder.calls === null && <Missing what={t.whatCalls} />}
          {recorder.calls?.length === 0 && <Waiting />}
          <p className="visually-hidden" role="status">
            {recorder.calls && t.callCount(recorder.calls.length)}
          </p>
          <ul className="calls" aria-label={t.calls}>
            {recorder.calls?.map((call, before) => (
              <RecordedCall key={call.at} call={call} place={before + 1} />
            ))}
          </ul>
        </>
      )}
    </Page>
  );
}

function Waiting() {
  const { recorders: t } = useTexts();
  return (
    <p className="empty">
      <span className="loading-mark" aria-hidden="true" /> {t.waiting}
    </p>
  );
}

function UrlLine({ name, hint, url }: { name: string; hint: string; url: string }) {
  return (
    <div className="url-line">
      <span className="label">{name}</span>
      <code className="address">{url}</code>
      <CopyButton text={url} what={name} />
      <span className="hint">{hint}</span>
    </div>
  );
}
