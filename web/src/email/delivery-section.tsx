import { Email, RetryCallback, RetryDelivery } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Fault, Missing } from "../parts/notice.tsx";
import { useTexts } from "../texts/texts.tsx";
import { CallbackAttempts } from "./callback-attempts.tsx";
import { DeliveryState } from "./delivery-state.tsx";
import { DeliverySteps } from "./delivery-steps.tsx";
import type { ShownEmail } from "./email-page.tsx";

/** What became of a mail: each place that it goes to, and a way to try again, then every step. */
export function DeliverySection({ email, isCallbackMissing }: { email: ShownEmail; isCallbackMissing: boolean }) {
  const { email: t } = useTexts();
  const { id, timeline, deliveries, callback } = email;
  const retryDelivery = useChange(RetryDelivery, [Email]);
  const retryCallback = useChange(RetryCallback, [Email]);
  return (
    <section aria-labelledby="delivery">
      <h2 id="delivery">{t.delivery}</h2>
      <ul className="outcomes">
        {deliveries?.map((delivery) => (
          <DeliveryState
            key={delivery.realAddress}
            what={t.forward}
            target={delivery.realAddress}
            {...delivery}
            attempts={delivery.attempts.map(({ at, response }) => ({ at, said: response }))}
            onRetry={() => retryDelivery.mutate({ emailId: id, realAddress: delivery.realAddress })}
            isPending={retryDelivery.isPending}
          />
        ))}
        {callback && (
          <DeliveryState
            what={t.webhook}
            target={callback.url}
            {...callback}
            attempts={callback.attempts.map(({ at, status, durationMs, failure }) => ({
              at,
              said: status === null ? failure : t.answered(status, durationMs ?? 0),
            }))}
            onRetry={() => retryCallback.mutate({ emailId: id })}
            isPending={retryCallback.isPending}
          />
        )}
      </ul>
      {deliveries === null && <Missing what={t.forwards} />}
      {isCallbackMissing && <Missing what={t.itsWebhook} />}
      <Fault error={retryDelivery.error ?? retryCallback.error} />
      {callback && <CallbackAttempts attempts={callback.attempts} />}
      {timeline ? <DeliverySteps timeline={timeline} /> : <Missing what={t.itsTimeline} />}
    </section>
  );
}
