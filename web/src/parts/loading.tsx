import { useSignedOutTexts } from "../texts/texts.tsx";

/** Stands where something is about to be. */
export function Loading({ what }: { what?: string }) {
  const { common } = useSignedOutTexts();
  return (
    <div className="loading" role="status">
      <span className="loading-mark" aria-hidden="true" />
      {what ?? common.loading}…
    </div>
  );
}
