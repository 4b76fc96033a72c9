import { ask } from "../graph/ask.ts";
import {
  type EmailFilter,
  FailedEmails,
  type FailedEmailsQuery,
  Mail,
  RetryCallbacks,
  RetryDeliveries,
} from "../graph/gen/operations.ts";
import { pagesOf } from "../graph/pages-of.ts";
import { isRefusal, sentenceOf } from "../graph/refusal.ts";
import { useInvalidate } from "../graph/use-graph.ts";
import { toast } from "../parts/toasts.tsx";
import { type Batches, useBatches } from "../parts/use-batches.ts";
import { useFreshProof } from "../proof/fresh-proof.ts";
import { useTexts } from "../texts/texts.tsx";

/** As many as the server takes at once. */
const mostRetried = 100;

type Failed = NonNullable<FailedEmailsQuery["emails"]>["nodes"][number];

/** Of an email that is not kept nothing is left to send once all came to an end. */
export function isRetryable({ isKept, isProcessed }: Pick<Failed, "isKept" | "isProcessed">): boolean {
  return isKept || !isProcessed;
}

/** Tries what failed again, a batch at a time. @param onDone told the ids of the emails that were tried, once no more of them are */
export function useRetry(filter: EmailFilter, onDone: (ids: readonly string[]) => void) {
  const { failures: t, errors } = useTexts();
  const { progress, run, stop } = useBatches();
  const withFreshProof = useFreshProof();
  const invalidate = useInvalidate();

  const retry = async (batches: Batches<readonly string[]>, total: number | undefined) => {
    const done: string[] = [];
    const failures: unknown[] = [];
    let count = 0;
    /** One service may be down: the other's part is done all the same. @returns whether it could be done */
    const attempt = (action: () => Promise<{ count: number } | null>) =>
      withFreshProof(action).then(
        (answer) => {
          count += answer?.count ?? 0;
          return true;
        },
        (error: unknown) => {
          if (!isRefusal(error, "Unavailable")) throw error;
          failures.push(error);
          return false;
        },
      );
    const several = async (ids: readonly string[]) => {
      const variables = { emailIds: [...ids] };
      const isDelivered = await attempt(async () => (await ask(RetryDeliveries, variables)).data.retryDeliveries);
      const isCalledBack = await attempt(async () => (await ask(RetryCallbacks, variables)).data.retryCallbacks);
      if (isDelivered && isCalledBack) done.push(...ids);
      return isDelivered || isCalledBack ? ids.length : 0;
    };
    const isStopped = await run(batches, total, several).catch((error: unknown) => {
      failures.push(error);
      return false;
    });
    if (count > 0) toast(t.retried(count));
    else if (failures.length === 0 && !(isStopped && done.length === 0)) toast(t.nothingToRetry);
    if (failures.length > 0) toast(sentenceOf(failures[0], errors), "bad");
    onDone(done);
    await invalidate(Mail);
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
  for await (const page of pages) yield* batchesOf(page.filter(isRetryable).map(({ id }) => id));
}

function* batchesOf(ids: readonly string[]): Generator<readonly string[]> {
  for (let from = 0; from < ids.length; from += mostRetried) yield ids.slice(from, from + mostRetried);
}
