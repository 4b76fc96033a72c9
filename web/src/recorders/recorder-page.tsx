import { Recorder } from "../graph/gen/operations.ts";
import { isRefusal } from "../graph/refusal.ts";
import { useGraph } from "../graph/use-graph.ts";
import { NotFoundPage } from "../not-found-page.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { Loading } from "../parts/loading.tsx";
import { Fault, Missing } from "../parts/notice.tsx";
import { Page } from "../parts/page.tsx";
import { RecordedCall } from "./recorded-call.tsx";
import { RemoveRecorder } from "./remove-recorder.tsx";

/** Calls are not told by the server as they come: they are looked for while the page is open. */
const lookMs = 2_000;

/** One recorder, and its calls as they come in. */
export function RecorderPage({ id }: { id: string }) {
  const { data, error } = useGraph(Recorder, { id }, () => lookMs);
  const recorder = data?.recorder;
  if (isRefusal(error, "NotFound")) return <NotFoundPage />;
  return (
    <Page title="Recorder" actions={recorder && <RemoveRecorder id={recorder.id} />}>
      <Fault error={error} />
      {!recorder && !error && <Loading />}
      {recorder && (
        <>
          <UrlLine name="Call URL" hint="Takes every method, without credentials." url={recorder.callUrl} />
          <UrlLine name="Get URL" hint="Gives the latest call to a program." url={recorder.getUrl} />
          <h2>Calls</h2>
          {recorder.calls === null && <Missing what="The calls" />}
          {recorder.calls?.length === 0 && <Waiting />}
          <p className="visually-hidden" role="status">
            {recorder.calls?.length} calls
          </p>
          <ul className="calls" aria-label="Calls">
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
  return (
    <p className="empty">
      <span className="loading-mark" aria-hidden="true" /> Waiting for the first call: it appears here by itself.
    </p>
  );
}

function UrlLine({ name, hint, url }: { name: string; hint: string; url: string }) {
  return (
    <div className="url-line">
      <span className="label">{name}</span>
      <code className="address">{url}</code>
      <CopyButton text={url} what={`the ${name}`} />
      <span className="hint">{hint}</span>
    </div>
  );
}
