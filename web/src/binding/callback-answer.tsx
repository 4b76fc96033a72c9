import type { TestCallbackMutation } from "../graph/gen/operations.ts";
import { Notice } from "../parts/notice.tsx";

type Answer = NonNullable<TestCallbackMutation["testCallback"]>;

/** What the callback URL answered to a test. */
export function CallbackAnswer({ answer: { url, isSuccess, status, durationMs, failure } }: { answer: Answer }) {
  return (
    <Notice tone={isSuccess ? "good" : "bad"}>
      <p>
        <strong>{status === null ? "No answer" : `Answered ${status}`}</strong> after {durationMs} ms
      </p>
      <p className="address">{url}</p>
      {status === null && failure !== null && <p>{failure}</p>}
      {!isSuccess && status !== null && <p>Anything but 2xx counts as failed: a real callback would be tried again.</p>}
    </Notice>
  );
}
