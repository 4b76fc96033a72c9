/**
 * SQL: when an account proved an address, by a link to it that was opened or as its own address; null where it did not. `ownerId` and
 * `key` are SQL as well.
 */
export function provedAt(ownerId: string, key: string): string {
  return `(select min(proof.at) from (
      select verified_at as at from real_address where owner_id = ${ownerId} and address_key = ${key}
      union all select own_address_verified_at from owner where id = ${ownerId} and own_address_key = ${key}) as proof)`;
}
