import { type Line, ServiceFlow } from "./flow.ts";
import { Group, GroupQueue } from "./group.ts";
import type { EncodedEvent, EventBus, Flow, FlowSettings } from "./types.ts";

/**
 * The bus of a process that has all services in it: what an outbox holds is handed, as encoded, to the groups of this
 * process, and its row goes once each of them has committed. The outboxes are the log: after a kill, what lies there is
 * handed out again, and the inboxes drop what was done.
 */
export class EmbeddedBus implements EventBus {
  readonly #queues = new Map<string, GroupQueue[]>();
  #isStarted = false;

  service(settings: FlowSettings): Flow {
    if (this.#isStarted)
      throw new Error(`${settings.name} came after the bus had started: its events may be gone already`);
    const groups = settings.consumers.map((consumer) => new Group(consumer, settings));
    const queues = groups.map((group) => new GroupQueue(group, settings.logger));
    for (const queue of queues) {
      const { topic } = queue.group;
      this.#queues.set(topic, [...(this.#queues.get(topic) ?? []), queue]);
    }
    return new ServiceFlow(settings, groups, this.#line(queues));
  }

  async start(): Promise<void> {
    this.#isStarted = true;
  }

  async stop(): Promise<void> {
    // Nothing of its own: each flow has stopped its queues.
  }

  #line(own: readonly GroupQueue[]): Line {
    const nothing = async () => undefined;
    return {
      start: nothing,
      stop: async () => {
        await Promise.all(own.map((queue) => queue.stop()));
      },
      ready: nothing,
      send: (events) => this.#hand(events),
    };
  }

  /** To each group what is of its topic. An event that no group here reads is nobody's. */
  async #hand(events: readonly EncodedEvent[]): Promise<void> {
    const byTopic = Map.groupBy(events, (event) => event.topic);
    const handed = [...byTopic].flatMap(([topic, part]) =>
      (this.#queues.get(topic) ?? []).map((queue) => queue.push(part)),
    );
    await Promise.all(handed);
  }
}
