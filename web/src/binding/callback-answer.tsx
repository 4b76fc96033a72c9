import type { TestCallbackMutation } from "../graph/gen/operations.ts";
import { Notice } from "../parts/notice.tsx";
import { useTexts } from "../texts/texts.tsx";

type Answer = NonNullable<TestCallbackMutation["testCallback"]>;

/** What the callback URL answered to a test. */
export function CallbackAnswer({ answer: { url, isSuccess, status, durationMs, failure } }: { answer: Answer }) {
  const { binding: t } = useTexts();
  return (
    <Notice tone={isSuccess ? "good" : "bad"}>
      <p>
        <strong>{status === null ? t.noAnswer : t.answered(status)}</strong>
        {t.after(durationMs)}
      </p>
      <p className="address">{url}</p>
      {status === null && failure !== null && <p>{failure}</p>}
      {!isSuccess && status !== null && <p>{t.not2xx}</p>}
    </Notice>
  );
}
