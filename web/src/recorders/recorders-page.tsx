import { useLocation } from "wouter";
import { CreateRecorder, Recorders } from "../graph/gen/operations.ts";
import { useChange, useGraph } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Loading } from "../parts/loading.tsx";
import { Fault, Missing } from "../parts/notice.tsx";
import { Page } from "../parts/page.tsx";
import { RecorderRow } from "./recorder-row.tsx";

/** Recorders: URLs that take any call, to see what a callback looks like. */
export function RecordersPage() {
  const { data, error } = useGraph(Recorders, {});
  const [, navigate] = useLocation();
  const creation = useChange(CreateRecorder, [Recorders], ({ createRecorder }) => {
    if (createRecorder) navigate(`/recorders/${createRecorder.recorder.id}`);
  });
  const action = (
    <Button look="primary" onPress={() => creation.mutate({})} isPending={creation.isPending}>
      New recorder
    </Button>
  );
  return (
    <Page title="Recorders" actions={action}>
      <p className="lead">
        A recorder is a URL that takes any call and keeps it to be looked at. Set one as an address's callback URL and
        see exactly what your own server would get.
      </p>
      <Fault error={error ?? creation.error} />
      {!data && !error && <Loading what="Loading your recorders" />}
      {data && data.recorders === null && <Missing what="Your recorders" />}
      {data?.recorders?.length === 0 && <p className="empty">There is none yet. A new one is ready at once.</p>}
      <ul className="cards" aria-label="Recorders">
        {data?.recorders?.map((recorder) => (
          <RecorderRow key={recorder.id} recorder={recorder} />
        ))}
      </ul>
    </Page>
  );
}
