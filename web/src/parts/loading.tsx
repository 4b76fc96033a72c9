/** Stands where something is about to be. */
export function Loading({ what = "Loading" }: { what?: string }) {
  return (
    <div className="loading" role="status">
      <span className="loading-mark" aria-hidden="true" />
      {what}…
    </div>
  );
}
