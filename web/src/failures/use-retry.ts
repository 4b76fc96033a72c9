import { ask } from "../graph/ask.ts";
import { type EmailFilter, FailedEmails, type FailedEmailsQuery, Mail, RetryFailed } from "../graph/gen/operations.ts";
import { pagesOf } from "../graph/pages-of.ts";
import { sentenceOf } from "../graph/refusal.ts";
import { useForget } from "../graph/use-graph.ts";
import { toast } from "../parts/toasts.tsx";
import { useBatches } from "../parts/use-batches.ts";
import { useFreshProof } from "../proof/fresh-proof.ts";
import { useTexts } from "../texts/texts.tsx";

/** As many as the server takes at once. */
const mostRetried = 100;

type Failed = NonNullable<FailedEmailsQuery["emails"]>["nodes"][number];

/** Of an email that is not kept nothing is left to send once all came to an end. */
export function isRetryable({ isKept, isProcessed }: Pick<Failed, "isKept" | "isProcessed">): boolean {
  return isKept || !isProcessed;
}

/** Tries what failed again, a batch at a time. @param onDone told once no more of it is tried */
export function useRetry(filter: EmailFilter, onDone: () => void) {
  const { failures: t, errors } = useTexts();
  const { progress, run, stop } = useBatches();
  const withFreshProof = useFreshProof();
  const forget = useForget();

  const retry = async (batches: Parameters<typeof run<readonly string[]>>[0], total: number | undefined) => {
    let deliveries = 0;
    const several = async (emailIds: readonly string[]) => {
      const { data } = await withFreshProof(() => ask(RetryFailed, { emailIds: [...emailIds] }));
      deliveries += (data.retryDeliveries?.count ?? 0) + (data.retryCallbacks?.count ?? 0);
      return emailIds.length;
    };
    const failure = await run(batches, total, several).then(
      () => undefined,
      (error: unknown) => sentenceOf(error, errors),
    );
    if (failure === undefined || deliveries > 0) toast(t.retried(deliveries));
    if (failure !== undefined) toast(failure, "bad");
    onDone();
    await forget(Mail.name);
  };
  const retryThese = (emailIds: readonly string[]) => retry(batchesOf(emailIds), emailIds.length);
  /** All that the filter leaves, read or not. @param total how many they are, if that is known */
  const retryAll = (total: number | undefined) => {
    const pages = pagesOf(FailedEmails, { filter }, ({ emails }) => emails, withFreshProof);
    return retry(retryableOf(pages), total);
  };
  return { progress, stop, retryThese, retryAll };
}

async function* retryableOf(pages: AsyncIterable<readonly Failed[]>): AsyncGenerator<readonly string[]> {
  for await (const page of pages) {
    const ids = page.filter(isRetryable).map(({ id }) => id);
    if (ids.length > 0) yield ids;
  }
}

function* batchesOf(ids: readonly string[]): Generator<readonly string[]> {
  for (let from = 0; from < ids.length; from += mostRetried) yield ids.slice(from, from + mostRetried);
}
