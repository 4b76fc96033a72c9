/** A condition on each delivery that is claimed: answers of an account whose sending is paused wait. */
export const isSendingAllowed =
  "not (is_answer and exists (select from paused_sending where paused_sending.owner_id = delivery.owner_id))";
