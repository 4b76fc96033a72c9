import { type FormEvent, type InvalidEvent, useId, useState } from "react";
import { Link, useLocation } from "wouter";
import { ImportDryRun, type ImportSource, Imports } from "../graph/gen/operations.ts";
import { useChange, useGraph } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Choice } from "../parts/choice.tsx";
import { DateTime } from "../parts/date-time.tsx";
import { Fault, Missing, Notice } from "../parts/notice.tsx";
import { Page } from "../parts/page.tsx";
import { useTexts } from "../texts/texts.tsx";
import { SettingsCrumb } from "./settings-crumb.tsx";

/** What a query may hold, with room for the escapes of JSON; larger files go by REST. */
const largestFileBytes = 200_000;

/** Moves here from another service: a file to read, and what was read before. */
export function ImportsPage() {
  const { imports: t } = useTexts();
  const { data, error, refetch } = useGraph(Imports, {});
  return (
    <Page title={t.title} before={<SettingsCrumb />}>
      <p className="lead">{t.lead}</p>
      <UploadForm />
      <Fault error={error} onRetry={refetch} />
      {data?.imports === null && <Missing what={t.what} onRetry={refetch} />}
      {data?.imports && data.imports.length > 0 && (
        <>
          <h2 id="earlier">{t.earlier}</h2>
          <ul className="cards" aria-labelledby="earlier">
            {data.imports.map(({ id, source, state, total, createdAt }) => (
              <li className="card card-head" key={id}>
                <Link href={`/import/${id}`}>{t.named(t.sources[source] ?? source, <DateTime at={createdAt} />)}</Link>
                <span className="state">{t.states[state] ?? state}</span>
                <span className="hint">{t.rows(total)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Page>
  );
}

function UploadForm() {
  const { imports: t } = useTexts();
  const id = useId();
  const [source, setSource] = useState<Exclude<ImportSource, "simplelogin_api">>("simplelogin");
  const [file, setFile] = useState<File>();
  const [invalid, setInvalid] = useState("");
  const [, navigate] = useLocation();
  const reading = useChange(ImportDryRun, [Imports], ({ importDryRun }) => {
    if (importDryRun) navigate(`/import/${importDryRun.id}`);
  });
  const isTooLarge = file !== undefined && file.size > largestFileBytes;
  const refuse = (event: InvalidEvent<HTMLInputElement>) => {
    // In its place stands the line below, which stays.
    event.preventDefault();
    setInvalid(event.currentTarget.validationMessage);
    event.currentTarget.focus();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!file || isTooLarge) return;
    reading.mutate({ input: { source, content: await file.text(), baseUrl: null, key: null } });
  };
  return (
    <form className="card section" onSubmit={submit}>
      <div className="field">
        <span className="label">{t.from}</span>
        <Choice label={t.from} options={t.files} value={source} onChange={(chosen) => setSource(chosen)} />
      </div>
      <div className="field">
        <label htmlFor={id}>{t.file}</label>
        <input
          id={id}
          type="file"
          accept=".csv,.json,text/csv,application/json"
          onChange={({ target }) => {
            setFile(target.files?.[0]);
            setInvalid("");
          }}
          onInvalid={refuse}
          aria-invalid={invalid !== ""}
          aria-describedby={invalid === "" ? undefined : `${id}-wrong`}
          required
        />
        {invalid !== "" && (
          <span id={`${id}-wrong`} className="field-error" role="alert">
            {invalid}
          </span>
        )}
      </div>
      {isTooLarge && <Notice tone="bad">{t.tooLarge}</Notice>}
      <Fault error={reading.error} />
      <div>
        <Button look="primary" type="submit" isPending={reading.isPending} disabled={isTooLarge}>
          {t.check}
        </Button>
      </div>
      <p className="hint">{t.checkHint}</p>
    </form>
  );
}
