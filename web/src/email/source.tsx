import { useQuery } from "@tanstack/react-query";
import { GraphRefusal } from "../graph/refusal.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { Loading } from "../parts/loading.tsx";
import { Fault } from "../parts/notice.tsx";
import { Scroller } from "../parts/scroller.tsx";
import { useTexts } from "../texts/texts.tsx";

const shownCharacters = 200_000;

/** The message as it came over the wire. @param url where it is downloaded; read by its path, as this page's own */
export function Source({ url }: { url: string }) {
  const { email: t } = useTexts();
  const { pathname } = new URL(url, location.href);
  const { data, error } = useQuery({ queryKey: ["source", pathname], queryFn: () => readSource(pathname) });
  return (
    <div className="stack">
      <p className="source-actions">
        <a href={pathname} download>
          {t.downloadSource}
        </a>
        {data !== undefined && <CopyButton text={data} what={t.theSource} />}
      </p>
      <Fault error={error} />
      {!data && !error && <Loading what={t.loadingSource} />}
      {data !== undefined && (
        <Scroller name={t.source} isShort>
          <pre>{data.slice(0, shownCharacters)}</pre>
        </Scroller>
      )}
      {data !== undefined && data.length > shownCharacters && <p className="hint">{t.sourceCut}</p>}
    </div>
  );
}

async function readSource(path: string): Promise<string> {
  const response = await fetch(path);
  if (!response.ok) throw new GraphRefusal(`the source answers ${response.status}`, "SourceGone");
  return response.text();
}
