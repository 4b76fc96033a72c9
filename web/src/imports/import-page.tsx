import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { Import, type ImportQuery, Imports, Me, ProxyBindings, StartImport } from "../graph/gen/operations.ts";
import { isRefusal } from "../graph/refusal.ts";
import { useChange, useGraph, useInvalidate } from "../graph/use-graph.ts";
import { NotFoundPage } from "../not-found-page.tsx";
import { Button } from "../parts/button.tsx";
import { DataTable } from "../parts/data-table.tsx";
import { Fault, Notice } from "../parts/notice.tsx";
import { Page } from "../parts/page.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { Toggle } from "../parts/toggle.tsx";
import { useHandedOnFocus } from "../parts/use-handed-on-focus.ts";
import { useTexts } from "../texts/texts.tsx";
import { downloadTable } from "./download-table.ts";
import { SettingsCrumb } from "./settings-crumb.tsx";

type ShownImport = NonNullable<ImportQuery["importJob"]>;

/** A job under way is not told by the server as it goes on: it is looked for. */
const lookMs = 1_500;

/** What an import would make, then how far it is, then what became of each address. */
export function ImportPage({ id }: { id: string }) {
  const { imports: t } = useTexts();
  const { data, error, refetch } = useGraph(
    Import,
    { id, after: null },
    (last) => isUnderWay(last?.importJob) && lookMs,
  );
  const job = data?.importJob;
  useInvalidatedAddresses(job?.done ?? 0);
  if (isRefusal(error, "NotFound")) return <NotFoundPage />;
  return (
    <Page title={t.title} before={<SettingsCrumb />}>
      <Fault error={error} onRetry={refetch} />
      {!job && !error && <Skeleton />}
      {job && (
        <>
          <Progress job={job} />
          <Rows job={job} />
        </>
      )}
    </Page>
  );
}

/** The list of addresses may have been read a moment ago, before these were made. */
function useInvalidatedAddresses(doneRows: number): void {
  const invalidate = useInvalidate();
  const latest = useRef(invalidate);
  latest.current = invalidate;
  useEffect(() => {
    if (doneRows > 0) void latest.current(ProxyBindings, Me);
  }, [doneRows]);
}

function isUnderWay(job: Pick<ShownImport, "state"> | null | undefined): boolean {
  return job?.state === "reading" || job?.state === "waiting";
}

function Progress({ job }: { job: ShownImport }) {
  const { imports: t } = useTexts();
  const { id, source, state, fault, done, total } = job;
  return (
    <section className="card section" aria-label={t.state}>
      <p role="status">{t.status(t.sources[source] ?? source, t.states[state] ?? state, done, total)}</p>
      {state === "waiting" && <progress value={done} max={total} aria-label={t.progress} />}
      {fault !== "" && <Notice tone="bad">{t.said(fault)}</Notice>}
      {state === "checked" && <Start id={id} />}
      {state === "done" && (
        <div className="input-line">
          <Link href="/" className="button button-primary">
            {t.seeAddresses}
          </Link>
          <Button onClick={() => downloadTable(id)}>{t.download}</Button>
        </div>
      )}
    </section>
  );
}

function Start({ id }: { id: string }) {
  const { imports: t } = useTexts();
  const [makesNewAddresses, setMakesNewAddresses] = useState(true);
  const start = useChange(StartImport, [Import, Imports]);
  const part = useRef<HTMLDivElement>(null);
  useHandedOnFocus(part);
  return (
    <>
      <p>{t.nothingMade}</p>
      <Toggle isSelected={makesNewAddresses} onChange={setMakesNewAddresses}>
        {t.newOnes}
      </Toggle>
      <p className="hint">{t.newOnesHint}</p>
      <Fault error={start.error} />
      <div ref={part}>
        <Button look="primary" onClick={() => start.mutate({ id, makesNewAddresses })} isPending={start.isPending}>
          {t.start}
        </Button>
      </div>
    </>
  );
}

function Rows({ job: { rows, total } }: { job: ShownImport }) {
  const { imports: t } = useTexts();
  if (!rows || rows.length === 0) return null;
  return (
    <>
      <DataTable
        name={t.table}
        columns={[t.old, t.verdict, t.new, t.detail]}
        rows={rows.map(({ position, old, new: made, verdict, state, detail }) => ({
          id: position,
          cells: [
            <bdi key="old">{old}</bdi>,
            <span key="verdict" className={`state ${verdict === "refused" ? "state-bad" : ""}`}>
              {state === "waiting" ? (t.verdicts[verdict] ?? verdict) : (t.rowStates[state] ?? state)}
            </span>,
            made && <bdi key="new">{made}</bdi>,
            detail && (
              <span key="detail" className="hint">
                {t.said(detail)}
              </span>
            ),
          ],
        }))}
      />
      {rows.length < total && <p className="hint">{t.onlyFirst(rows.length, total)}</p>}
    </>
  );
}
