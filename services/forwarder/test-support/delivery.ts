import { newId } from "../../platform/ids.ts";
import type { Forward } from "../deliveries/delivery.ts";

/** A forward as a claim gives it. */
export function forwardDelivery(differences: Partial<Forward> = {}): Forward {
  return {
    kind: "forward",
    id: newId(),
    emailId: newId(),
    ownerId: newId(),
    bindingId: newId(),
    addressId: newId(),
    address: "real@inbox.example",
    domain: "inbox.example",
    organisationalDomain: "inbox.example",
    rawId: newId(),
    sizeBytes: 0,
    receivedAt: new Date("2026-01-20T12:00:00Z"),
    envelopeSender: "author@sender.example",
    recipient: "Proxy@postern.example",
    proxyAddress: "proxy@postern.example",
    clientAddress: "192.0.2.1",
    clientName: "mx.sender.example",
    protocol: "ESMTP",
    tls: "",
    smtpUtf8: false,
    eightBitMime: false,
    authenticationResults: "",
    authentication: null,
    answers: false,
    subjectTag: "",
    isRefused: false,
    isOwnerDisabled: false,
    trace: {},
    attemptCount: 0,
    heldUntil: null,
    ...differences,
  };
}
