import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { AddressVerifiedSchema } from "../../../proto/gen/postern/bindings/v1/address_verified_pb.js";
import { topics } from "../../../proto/topics.ts";
import type { Transaction } from "../../platform/db/types.ts";
import { event, publish } from "../../platform/events/outbox/outbox.ts";

/** A real address that this transaction verified, as `returning` gives it. */
export interface VerifiedAddress {
  addressId: string;
  bindingId: string;
  ownerId: string;
  verifiedAt: Date;
}

export const verifiedColumns = `real_address.id as address_id, real_address.binding_id, real_address.owner_id,
  real_address.verified_at`;

/** Publishes address.verified: mail that was held for these addresses can be forwarded. */
export async function publishVerified(tx: Transaction, addresses: readonly VerifiedAddress[]): Promise<void> {
  const events = addresses.map(({ verifiedAt, ...address }) =>
    event(
      topics.addressVerified,
      create(AddressVerifiedSchema, { ...address, verifiedAt: timestampFromDate(verifiedAt) }),
    ),
  );
  await publish(tx, events);
}
