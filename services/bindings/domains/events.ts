import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { DomainChangedSchema } from "../../../proto/gen/postern/bindings/v1/domain_changed_pb.js";
import { topics } from "../../../proto/topics.ts";
import type { Transaction } from "../../platform/db/types.ts";
import { event, publish } from "../../platform/events/outbox/outbox.ts";
import type { DomainRow } from "./rows.ts";

/** Publishes domain.changed. */
export async function publishChange(tx: Transaction, domain: DomainRow): Promise<void> {
  const { id: domainId, ownerId, name, state, epoch, publishedSelectors } = domain;
  const changedAt = timestampFromDate(new Date());
  const message = { domainId, ownerId, name, state, epoch, publishedSelectors: [...publishedSelectors], changedAt };
  await publish(tx, event(topics.domainChanged, create(DomainChangedSchema, message)));
}
