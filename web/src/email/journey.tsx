import { Email, RetryCallback, RetryDelivery } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Fault, Missing } from "../parts/notice.tsx";
import { DeliveryState } from "./delivery-state.tsx";
import type { ShownEmail } from "./email-page.tsx";
import { TimelineEntries } from "./timeline-entries.tsx";
import { TimelinePicture } from "./timeline-picture.tsx";

/** What became of a mail: a picture of it, then each place that it goes to, and a way to try again. */
export function Journey({ email, isCallbackMissing }: { email: ShownEmail; isCallbackMissing: boolean }) {
  const { id, timeline, deliveries, callback } = email;
  const retryDelivery = useChange(RetryDelivery, [Email]);
  const retryCallback = useChange(RetryCallback, [Email]);
  return (
    <section aria-labelledby="journey">
      <h2 id="journey">What became of it</h2>
      {timeline ? <TimelinePicture timeline={timeline} /> : <Missing what="Its timeline" />}
      <ul className="outcomes">
        {deliveries?.map((delivery) => (
          <DeliveryState
            key={delivery.realAddress}
            what="Forward"
            target={delivery.realAddress}
            {...delivery}
            attempts={delivery.attempts.map(({ at, response }) => ({ at, said: response }))}
            onRetry={() => retryDelivery.mutate({ emailId: id, realAddress: delivery.realAddress })}
            isRetrying={retryDelivery.isPending}
          />
        ))}
        {callback && (
          <DeliveryState
            what="Callback"
            target={callback.url}
            {...callback}
            attempts={callback.attempts.map(({ at, status, durationMs, failure }) => ({
              at,
              said: status === null ? failure : `answered ${status} after ${durationMs ?? 0} ms`,
            }))}
            onRetry={() => retryCallback.mutate({ emailId: id })}
            isRetrying={retryCallback.isPending}
          />
        )}
      </ul>
      {deliveries === null && <Missing what="Where it was forwarded" />}
      {isCallbackMissing && <Missing what="Its callback" />}
      <Fault error={retryDelivery.error ?? retryCallback.error} />
      {timeline && <TimelineEntries timeline={timeline} />}
    </section>
  );
}
