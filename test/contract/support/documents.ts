import { expect } from "@jest/globals";

// Documents as the contract has them; what only the service knows is matched by its form.

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
export const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);

/** Section 2.4. */
export function tokenDocument(
  accountId: string,
  { isNewAcc = false, granted = 0 }: { isNewAcc?: boolean; granted?: 0 | 1 } = {},
) {
  const token = expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  const attributes = { token, expires_at: timestamp, "2fa_granted": granted, isNewAcc };
  const relationships = { user: { data: { type: "users", id: accountId } } };
  return { data: { type: "oauth-access-tokens", id: uuid, attributes, relationships } };
}

export const generatedAddress = expect.stringMatching(/^[a-z-]{11,}@postern\.localhost$/);

/** What is made up where no real address is given: section 1, "reserved internal domains". */
export const internalAddress = /^[a-z-]{11,}@(int\.postern\.localhost|postern-int\.int)$/;

/** Section 2.1. */
export function bindingResource(
  ownerId: string,
  attributes: Readonly<Record<string, unknown>> = {},
  id: unknown = uuid,
) {
  return {
    type: "proxy_bindings",
    id,
    attributes: {
      real_addresses: expect.any(Object),
      proxy_address: generatedAddress,
      received_emails: 0,
      description: "",
      callback_url: "",
      type: 0,
      is_browsable: false,
      created_at: timestamp,
      updated_at: timestamp,
      ...attributes,
    },
    relationships: { user: { data: { type: "users", id: ownerId } } },
  };
}

/** An error. `file` is the service that raised it, `line` is 0. */
export function errorDocument(exception: unknown, file: unknown, message: unknown = expect.stringMatching(/\S/)) {
  return { data: { id: uuid, type: "errors", attributes: { message, exception, file, line: 0 } } };
}
