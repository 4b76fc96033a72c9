import { useLocation } from "wouter";
import { CreateRecorder, Recorders } from "../graph/gen/operations.ts";
import { useChange, useGraph } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Loading } from "../parts/loading.tsx";
import { Fault, Missing } from "../parts/notice.tsx";
import { Page } from "../parts/page.tsx";
import { useTexts } from "../texts/texts.tsx";
import { RecorderRow } from "./recorder-row.tsx";

/** Recorders: URLs that take any call, to see what a callback looks like. */
export function RecordersPage() {
  const { recorders: t } = useTexts();
  const { data, error, refetch } = useGraph(Recorders, {});
  const [, navigate] = useLocation();
  const creation = useChange(CreateRecorder, [Recorders], ({ createRecorder }) => {
    if (createRecorder) navigate(`/recorders/${createRecorder.recorder.id}`);
  });
  const action = (
    <Button look="primary" onClick={() => creation.mutate({})} isPending={creation.isPending}>
      {t.create}
    </Button>
  );
  return (
    <Page title={t.title} actions={action}>
      <p className="lead">{t.lead}</p>
      <Fault error={error} onRetry={refetch} />
      <Fault error={creation.error} />
      {!data && !error && <Loading what={t.loading} />}
      {data && data.recorders === null && <Missing what={t.what} onRetry={refetch} />}
      {data?.recorders?.length === 0 && <p className="empty">{t.none}</p>}
      <ul className="cards" aria-label={t.title}>
        {data?.recorders?.map((recorder) => (
          <RecorderRow key={recorder.id} recorder={recorder} />
        ))}
      </ul>
    </Page>
  );
}
