import { useState } from "react";
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
import { useForget } from "../graph/use-graph.ts";
import { toast } from "../parts/toasts.tsx";
import { useFreshProof } from "../proof/fresh-proof.ts";
import { useTexts } from "../texts/texts.tsx";
import { usePatchedBindings } from "./patched-bindings.ts";

const atOnce = 4;

type Change = (binding: BindingFragment) => Promise<BindingFragment | undefined>;

/**
 * What can be done to several addresses: each is changed by itself, and what failed is said.
 * @param onDone told the ids of those that were changed
 */
export function useBulk(onDone: (ids: readonly string[]) => void) {
  const { addresses: t, errors } = useTexts();
  const [isPending, setIsPending] = useState(false);
  const patch = usePatchedBindings();
  const forget = useForget();
  const withFreshProof = useFreshProof();

  const perform = async (bindings: readonly BindingFragment[], change: Change, said: (done: number) => string) => {
    setIsPending(true);
    const done: string[] = [];
    const failures: unknown[] = [];
    const queue = [...bindings];
    const work = async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const binding = next;
        await withFreshProof(() => change(binding)).then(
          (changed) => {
            done.push(binding.id);
            if (changed) patch(changed);
          },
          (error: unknown) => failures.push(error),
        );
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    setIsPending(false);
    if (done.length > 0) toast(said(done.length));
    if (failures.length > 0) toast(t.failed(failures.length, sentenceOf(failures[0], errors)), "bad");
    onDone(done);
  };

  const turn = (bindings: readonly BindingFragment[], isEnabled: boolean) =>
    perform(
      bindings,
      async ({ id }) => {
        const answer = await ask(SwitchProxyBinding, { id, isEnabled });
        return answer.data.switchProxyBinding?.proxyBinding;
      },
      t.done,
    );
  const label = (bindings: readonly BindingFragment[], labels: readonly string[]) =>
    perform(
      bindings,
      async ({ id, usedOn }) => {
        const answer = await ask(SetUsedOn, { id, usedOn: [...new Set([...usedOn, ...labels])] });
        return answer.data.setUsedOn?.proxyBinding;
      },
      t.done,
    );
  const remove = async (bindings: readonly BindingFragment[]) => {
    await perform(
      bindings,
      async ({ id }) => {
        await ask(DeleteProxyBinding, { id });
        return undefined;
      },
      t.removed,
    );
    await forget(ProxyBindings.name, Me.name);
  };
  return { isPending, turn, label, remove };
}
