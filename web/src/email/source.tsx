import { useQuery } from "@tanstack/react-query";
import { GraphRefusal } from "../graph/refusal.ts";
import { Loading } from "../parts/loading.tsx";
import { Fault } from "../parts/notice.tsx";
import { Scroller } from "../parts/scroller.tsx";

const shownCharacters = 200_000;

/** The message as it came over the wire. @param url where it is downloaded; read by its path, as this page's own */
export function Source({ url }: { url: string }) {
  const { pathname } = new URL(url, location.href);
  const { data, error } = useQuery({ queryKey: ["source", pathname], queryFn: () => readSource(pathname) });
  return (
    <div className="stack">
      <p>
        <a href={pathname} download>
          Download it as a file
        </a>
      </p>
      <Fault error={error} />
      {!data && !error && <Loading what="Loading the source" />}
      {data !== undefined && (
        <Scroller name="Source" isShort>
          <pre>{data.slice(0, shownCharacters)}</pre>
        </Scroller>
      )}
      {data !== undefined && data.length > shownCharacters && <p className="hint">Only its beginning is shown.</p>}
    </div>
  );
}

async function readSource(path: string): Promise<string> {
  const response = await fetch(path);
  if (!response.ok) throw new GraphRefusal("The source cannot be had: it may be gone by now.", "NotFound");
  return response.text();
}
