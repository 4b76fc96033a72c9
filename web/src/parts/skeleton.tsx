import { useTexts } from "../texts/texts.tsx";

const widths = ["62%", "48%", "71%", "55%", "66%", "43%"];

/** The shape of a list that is about to be there. @param what what is loading, for who hears the page */
export function Skeleton({ what, rows = widths.length }: { what?: string; rows?: number }) {
  const { common } = useTexts();
  return (
    <div className="skeleton" role="status">
      <span className="visually-hidden">{what ?? common.loading}…</span>
      {widths.slice(0, rows).map((width) => (
        <div key={width} className="skeleton-row" aria-hidden="true">
          <span style={{ width }} />
          <span />
        </div>
      ))}
    </div>
  );
}
