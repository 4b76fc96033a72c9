import { z } from "zod";

/** The nil UUID (RFC 9562 section 5.9), which is the id of nothing. */
const nil = "00000000-0000-0000-0000-000000000000";

const Id = z.uuid();

/**
 * An id as a client gave it, in a path or as an argument. What is no UUID is the id of nothing: it is not found, like every id
 * that is not there. Ids that come from the services themselves are `z.uuid()`.
 */
export const GivenId = z.string().transform((id) => (Id.safeParse(id).success ? id : nil));
