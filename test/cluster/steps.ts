/** One thing that has to hold; throws what is wrong. */
export type Step = readonly [name: string, run: () => Promise<unknown>];

/** Steps, each on what the one before it left, and what takes all of it away again. */
export interface ClusterUnderTest {
  steps: readonly Step[];
  dispose(): Promise<unknown>;
}
