import { isAccountDisabled } from "../../platform/accounts/disabled-accounts.ts";

/** Whether the account of a delivery is disabled, as a condition on its row. A notice tells its owner so, and goes. */
export const isDeliveryOwnerDisabled = `(delivery.notice_id is null and ${isAccountDisabled("delivery.owner_id")})`;
