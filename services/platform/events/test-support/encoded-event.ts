import { topics } from "../../../../proto/topics.ts";
import { newId } from "../../ids.ts";
import type { EncodedEvent } from "../types.ts";

/** A new event as a bus carries it; nobody decodes it. */
export function encodedEvent(topic: string = topics.mailAccepted.name): EncodedEvent {
  return { id: newId(), topic, key: "a", payload: Buffer.from("payload"), headers: {}, occurredAt: new Date() };
}
