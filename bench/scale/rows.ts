import { asSuperuser } from "../../test/support/database.ts";

// Rows as the services write them, by one statement for each table.

/** Made of a number: an id like any other, the same one for the same number. */
const idOf = (kind: string, number: string) => `md5('${kind}' || ${number})::uuid`;

/** Each with a real address, numbered from one number to another, of the only account. */
export async function addBindings(url: string, from: number, to: number): Promise<void> {
  const series = `generate_series(${from + 1}, ${to}) as n`;
  await asSuperuser(
    url,
    `insert into bindings.binding (id, owner_id, proxy_address, proxy_address_key, description, callback_url,
                                   is_browsable, is_automatic, created_at, updated_at)
     select ${idOf("binding", "n")}, (select id from bindings.owner limit 1), 'seeded' || n || '@postern.localhost',
            'seeded' || n || '@postern.localhost', 'shop ' || md5(n::text), '', true, false, now(), now() from ${series}`,
  );
  await asSuperuser(
    url,
    `insert into bindings.real_address (id, binding_id, owner_id, address, address_key, is_enabled, is_internal, verified_at)
     select ${idOf("address", "n")}, ${idOf("binding", "n")}, (select id from bindings.owner limit 1),
            'owner' || n || '@example.org', 'owner' || n || '@example.org', true, false, now() from ${series}`,
  );
}

/** Spread over ten thousand bindings, forwarded and not kept. */
export async function addEmails(url: string, from: number, to: number): Promise<void> {
  const series = `generate_series(${from + 1}, ${to}) as n`;
  const owner = "(select id from bindings.owner limit 1)";
  const binding = idOf("binding", "(n % 10000)");
  await asSuperuser(
    url,
    `insert into mailbox.email (id, owner_id, binding_id, received_at, sender, recipient, proxy_address, callback_url, received_from,
                                authentication_results, size_bytes, raw_id, expected_outcomes, is_processed, is_released)
     select ${idOf("email", "n")}, ${owner}, ${binding}, now(), 'jack@example.com', 'seeded@postern.localhost',
            'seeded@postern.localhost', '', '192.0.2.1', '', 4096, ${idOf("raw", "n")}, 1, true, true from ${series}`,
  );
  await asSuperuser(
    url,
    `insert into mailbox.mail_entry (owner_id, email_id, binding_id, received_at, is_kept, delivered_count)
     select ${owner}, ${idOf("email", "n")}, ${binding}, now(), false, 1 from ${series}`,
  );
}

/** Over ten thousand domains; those of a tenth have been attempted and are due again every few seconds of the next hour. */
export async function addDeliveries(url: string, from: number, to: number): Promise<void> {
  await asSuperuser(
    url,
    `insert into forwarder.delivery (id, email_id, owner_id, binding_id, address_id, address, domain, raw_id, size_bytes, received_at, due_at)
     select ${idOf("delivery", "n")}, ${idOf("waiting", "n")}, (select id from bindings.owner limit 1), ${idOf("binding", "n")},
            ${idOf("address", "n")}, 'owner@domain' || n % 10000 || '.example', 'domain' || n % 10000 || '.example',
            ${idOf("raw", "n")}, 4096, now(), now() + case when n % 10 = 0 then interval '1 hour' else interval '1 day' end
       from generate_series(${from + 1}, ${to}) as n`,
  );
}

/** As autovacuum does some time after rows have come. */
export async function analyze(url: string): Promise<void> {
  await asSuperuser(url, "analyze");
}

/** Bytes of a table, and of its indexes. */
export async function sizesOf(url: string, table: string): Promise<{ tableMib: number; indexMib: number }> {
  const [found] = await asSuperuser<{ table: string; indexes: string }>(
    url,
    `select pg_table_size($1::regclass)::text as "table", pg_indexes_size($1::regclass)::text as indexes`,
    [table],
  );
  const bytesPerMebibyte = 1024 * 1024;
  return { tableMib: Number(found?.table) / bytesPerMebibyte, indexMib: Number(found?.indexes) / bytesPerMebibyte };
}
