import { ask } from "../graph/ask.ts";
import {
  type BindingFragment,
  DeleteProxyBinding,
  Me,
  ProxyBindings,
  SetUsedOn,
  SwitchProxyBinding,
} from "../graph/gen/operations.ts";
import { sentenceOf } from "../graph/refusal.ts";
import { useInvalidate } from "../graph/use-graph.ts";
import { toast } from "../parts/toasts.tsx";
import { type Batches, useBatches } from "../parts/use-batches.ts";
import { useFreshProof } from "../proof/fresh-proof.ts";
import { useTexts } from "../texts/texts.tsx";
import { usePatchedBindings } from "./use-patched-bindings.ts";

const atOnce = 4;

/** What is selected: of many, a page at a time. */
export interface Chosen {
  readonly count: number;
  batches(): Batches<readonly BindingFragment[]>;
}

type Change = (binding: BindingFragment) => Promise<BindingFragment | undefined>;

export type Bulk = ReturnType<typeof useBulk>;

/**
 * What can be done to several addresses: each is changed by itself, and what failed is said.
 * @param onDone told the ids of those that were changed
 */
export function useBulk(onDone: (ids: readonly string[]) => void) {
  const { addresses: t, errors } = useTexts();
  const { progress, run, stop } = useBatches();
  const patch = usePatchedBindings();
  const invalidate = useInvalidate();
  const withFreshProof = useFreshProof();

  const perform = async ({ count, batches }: Chosen, change: Change, said: (done: number) => string) => {
    const done: string[] = [];
    const failures: unknown[] = [];
    const one = (binding: BindingFragment) =>
      withFreshProof(() => change(binding)).then(
        (changed) => {
          done.push(binding.id);
          if (changed) patch(changed);
        },
        (error: unknown) => failures.push(error),
      );
    const several = async (batch: readonly BindingFragment[]) => {
      const before = done.length;
      const queue = [...batch];
      const work = async () => {
        for (let next = queue.shift(); next !== undefined; next = queue.shift()) await one(next);
      };
      await Promise.all(Array.from({ length: atOnce }, work));
      return done.length - before;
    };
    await run(batches(), count, several).catch((error: unknown) => toast(sentenceOf(error, errors), "bad"));
    if (done.length > 0) toast(said(done.length));
    if (failures.length > 0) toast(t.failed(failures.length, sentenceOf(failures[0], errors)), "bad");
    onDone(done);
  };

  const turn = (chosen: Chosen, isEnabled: boolean) =>
    perform(
      chosen,
      async ({ id }) => {
        const answer = await ask(SwitchProxyBinding, { id, isEnabled });
        return answer.data.switchProxyBinding?.proxyBinding;
      },
      t.done,
    );
  const label = (chosen: Chosen, labels: readonly string[]) =>
    perform(
      chosen,
      async ({ id, usedOn }) => {
        const answer = await ask(SetUsedOn, { id, usedOn: [...new Set([...usedOn, ...labels])] });
        return answer.data.setUsedOn?.proxyBinding;
      },
      t.done,
    );
  const remove = async (chosen: Chosen) => {
    await perform(
      chosen,
      async ({ id }) => {
        await ask(DeleteProxyBinding, { id });
        return undefined;
      },
      t.removed,
    );
    await invalidate(ProxyBindings, Me);
  };
  return { progress, stop, turn, label, remove };
}
