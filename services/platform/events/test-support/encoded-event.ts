import { topics } from "../../../../proto/topics.ts";
import { newId } from "../../ids.ts";
import type { EncodedEvent } from "../types.ts";

/** A new event as a bus carries it; nobody decodes it. */
export function encodedEvent(): EncodedEvent {
  const payload = Buffer.from("payload");
  return { id: newId(), topic: topics.mailAccepted.name, key: "a", payload, headers: {}, occurredAt: new Date() };
}
