import type { Consumer } from "kafkajs";
import { heartbeatMs } from "./batches.ts";

/** After so long without a successful heartbeat a reader is treated as disconnected, though it has reported no error. */
const silenceLimitMs = 60_000;

/** A member of a consumer group. */
export interface KafkaMember {
  /** Resolves with the reason once it reads no more, other than by `stop`. */
  readonly failed: Promise<Error>;
  /** Whether it has joined its group. */
  readonly isJoined: boolean;
  /** Lets the batches in progress be taken and committed, then leaves the group, so that others need not wait for its session's end. */
  stop(): Promise<void>;
}

/** Watches a consumer for its end: kafkajs says so, or the broker has not heard of it for long. */
export function watchMember(member: Consumer) {
  const failed = Promise.withResolvers<Error>();
  let isJoined = false;
  let heardOfMs = performance.now();
  const hear = () => {
    heardOfMs = performance.now();
  };
  member.on(member.events.GROUP_JOIN, () => {
    isJoined = true;
    hear();
  });
  member.on(member.events.HEARTBEAT, hear);
  member.on(member.events.REBALANCING, () => {
    isJoined = false;
  });
  member.on(member.events.CRASH, ({ payload }) => fail(payload.error));
  const timer = setInterval(() => {
    if (performance.now() - heardOfMs > silenceLimitMs)
      fail(new Error("The broker has not heard of this reader for long"));
  }, heartbeatMs);
  const end = () => clearInterval(timer);
  const fail = (error: Error) => {
    isJoined = false;
    end();
    failed.resolve(error);
  };
  return {
    failed: failed.promise,
    end,
    get isJoined() {
      return isJoined;
    },
  };
}
