import { deepEqual } from "node:assert/strict";
import type { ReleasedChart } from "../../scripts/cluster/last-release.ts";
import type { OwnCluster } from "../../scripts/cluster/use.ts";
import type { MailLoad } from "../support/mail/mail-load.ts";
import type { Step } from "../support/run/steps.ts";
import type { Site } from "./site.ts";
import { expectNothingLost, loadOn, summaryOf, unlimited } from "./site-mail.ts";

const restMs = 500;

/** From the last release to this tree, and to another configuration of it, while mail comes in. */
export function upgrade(site: Site, { provideLastRelease }: OwnCluster, say: (line: string) => void): Step[] {
  let last: ReleasedChart;
  let load: MailLoad;
  const upgradeWith = async (words: readonly string[]) => {
    await site.release("upgrade", [unlimited, ...words]);
    await load.acceptedMore(50);
  };
  return [
    [
      "the last release is built",
      async () => {
        last = await provideLastRelease(say);
      },
    ],
    ["stores are installed", () => site.installStores()],
    ["install the last release", () => site.release("install", [unlimited], last)],
    [
      "it takes mail",
      async () => {
        load = await loadOn(site, restMs);
        await load.acceptedMore(50);
      },
    ],
    ["upgrade to this tree", () => upgradeWith(["--set=config.RPC_TOKENS_OF_0_1=true"])],
    ["all is replaced once more, without what the last release needed", () => upgradeWith([])],
    [
      "mail was taken all the while",
      async () => {
        await load.stop();
        say(summaryOf(load));
        // A session of a process that ends is told so; the message goes by another.
        const putOff = [...load.refusals].filter(([reply]) => !reply.startsWith("421 4.3.2"));
        deepEqual(putOff, []);
      },
    ],
    ["nothing is lost, nothing was refused for good", () => expectNothingLost(site, load)],
    ["helm test sends a mail", () => site.sendMail()],
  ];
}
