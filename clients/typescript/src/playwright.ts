import type { Inbox } from "./inbox.ts";
import { Postern } from "./postern.ts";

type Use<T> = (value: T) => Promise<void>;

/** What a test of Playwright gets. */
export interface PosternFixtures {
  /** An inbox of the test's own. */
  inbox: Inbox;
}

/** What a worker of Playwright gets, and what `use` of its configuration sets. */
export interface PosternWorkerFixtures {
  /** POSTERN_URL unless the configuration says otherwise. */
  posternUrl: string;
  /** POSTERN_KEY unless the configuration says otherwise: an API key with alias:create, alias:write and mail:read. */
  posternKey: string;
  postern: Postern;
  /** A browsable proxy address: POSTERN_ADDRESS, or one that is made, and removed when the worker ends. */
  posternAddress: string;
}

const inWorker = { scope: "worker" } as const;
const option = { scope: "worker", option: true } as const;

/** To extend Playwright's `test` with: `base.extend<PosternFixtures, PosternWorkerFixtures>(fixtures)`. */
export const fixtures = {
  posternUrl: [process.env["POSTERN_URL"] ?? "", option] as [string, typeof option],
  posternKey: [process.env["POSTERN_KEY"] ?? "", option] as [string, typeof option],
  postern: [provideClient, inWorker] as [typeof provideClient, typeof inWorker],
  posternAddress: [provideAddress, inWorker] as [typeof provideAddress, typeof inWorker],
  inbox: provideInbox,
};

async function provideClient(
  { posternUrl, posternKey }: Pick<PosternWorkerFixtures, "posternUrl" | "posternKey">,
  use: Use<Postern>,
): Promise<void> {
  await use(Postern.fromEnvironment({ POSTERN_URL: posternUrl, POSTERN_KEY: posternKey }));
}

async function provideAddress({ postern }: Pick<PosternWorkerFixtures, "postern">, use: Use<string>): Promise<void> {
  const given = process.env["POSTERN_ADDRESS"];
  if (given) return use(given);
  const { id, address } = await postern.addresses.create({ description: "Made by tests" });
  try {
    await use(address);
  } finally {
    await postern.addresses.remove(id);
  }
}

async function provideInbox(
  { postern, posternAddress }: Pick<PosternWorkerFixtures, "postern" | "posternAddress">,
  use: Use<Inbox>,
): Promise<void> {
  await use(postern.inbox(posternAddress));
}
