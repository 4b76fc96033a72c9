import { isAccountDisabled as isDisabled } from "../../platform/events/disabled-accounts.ts";

/** Whether the account of a delivery is disabled, as a condition on its row. A notice tells its owner so, and goes. */
export const isAccountDisabled = `(delivery.notice_id is null and ${isDisabled("delivery.owner_id")})`;
