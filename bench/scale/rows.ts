import { wholeAccount } from "../../services/mailbox/lists/mail-counts.ts";
import { wordsOf } from "../../services/mailbox/lists/search-words.ts";
import { openDatabase } from "../../services/platform/db/database.ts";
import { asSuperuser, silentLogger } from "../../test/support/peers/database.ts";

// Rows as the services write them, by one statement for each table.

/** Made of a number: an id like any other (RFC 9562 section 5.4), the same one for the same number. */
const idOf = (kind: string, number: string) =>
  `overlay(overlay(md5('${kind}' || ${number}) placing '4' from 13) placing '8' from 17)::uuid`;
/** The same, in the order of the numbers (section 5.7): a millisecond of yesterday each. */
const emailIdOf = (number: string) =>
  `(lpad(to_hex((extract(epoch from current_date - 1) * 1000)::bigint + ${number}), 12, '0') || '70008000' || lpad(to_hex(${number}), 12, '0'))::uuid`;

/**
 * Each with a real address, numbered from one number to another, of the only account. The triggers that count and note them row by row
 * are left out: what they would have written is written once, as for bindings that were there before them.
 */
export async function addBindings(url: string, from: number, to: number): Promise<void> {
  const series = `generate_series(${from + 1}, ${to}) as n`;
  const bindings = openDatabase({ url, schema: "bindings", logger: silentLogger, poolSize: 1 });
  await bindings
    .tx(async (tx) => {
      await tx.query("set local session_replication_role = replica");
      await tx.query(
        `insert into binding (id, owner_id, proxy_address, proxy_address_key, description, callback_url,
                              is_browsable, is_automatic, created_at, updated_at)
         select ${idOf("binding", "n")}, (select id from owner limit 1), 'seeded' || n || '@postern.localhost',
                'seeded' || n || '@postern.localhost', 'shop ' || md5(n::text), '', true, false, now(), now() from ${series}`,
      );
      await tx.query(
        `insert into real_address (id, binding_id, owner_id, address, address_key, is_enabled, is_internal, verified_at)
         select ${idOf("address", "n")}, ${idOf("binding", "n")}, (select id from owner limit 1),
                'owner' || n || '@example.org', 'owner' || n || '@example.org', true, false, now() from ${series}`,
      );
      await tx.query("update binding_count set total = total + $1", [to - from]);
    })
    .finally(() => bindings.close());
}

/** Spread over ten thousand bindings, forwarded and not kept. */
export async function addEmails(url: string, from: number, to: number): Promise<void> {
  const series = `generate_series(${from + 1}, ${to}) as n`;
  const owner = "(select id from bindings.owner limit 1)";
  const binding = idOf("binding", "(n % 10000 + 1)");
  await asSuperuser(
    url,
    `insert into mailbox.email (id, owner_id, binding_id, received_at, sender, recipient, proxy_address, callback_url, received_from,
                                authentication_results, size_bytes, raw_id, expected_outcomes, is_processed, is_released)
     select ${emailIdOf("n")}, ${owner}, ${binding}, now(), 'jack@example.com', 'seeded@postern.localhost',
            'seeded@postern.localhost', '', '192.0.2.1', '', 4096, ${idOf("raw", "n")}, 1, true, true from ${series}`,
  );
  await asSuperuser(
    url,
    `insert into mailbox.mail_entry (owner_id, email_id, binding_id, received_at, is_kept, delivered_count)
     select ${owner}, ${emailIdOf("n")}, ${binding}, now(), false, 1 from ${series}`,
  );
}

/** Makes emails that addEmails has added kept and unread, with a subject, a short body and the words that a search finds. */
export async function addKeptContents(url: string, from: number, to: number): Promise<void> {
  const series = `generate_series(${from + 1}, ${to}) as n`;
  await asSuperuser(
    url,
    `with kept as (
       insert into mailbox.content (email_id, binding_id, is_browsable, subject, attachment_count, headers, body_plain,
                                    from_name, from_address, preview)
       select ${emailIdOf("n")}, ${idOf("binding", "(n % 10000 + 1)")}, true, 'Order ' || n, 0, '[]', 'Thank you for order ' || n,
              'A shop', 'shop@example.com', 'Thank you for order ' || n from ${series}
       returning email_id, subject)
     insert into mailbox.mail_search (email_id, owner_id, words)
     select email_id, owner_id, ${wordsOf("subject || ' shop@example.com thank you for'")}
       from kept, (select id as owner_id from bindings.owner limit 1) as owner`,
  );
  await asSuperuser(
    url,
    `update mailbox.email set is_browsable = true where id in (select ${emailIdOf("n")} from ${series})`,
  );
  await asSuperuser(
    url,
    `update mailbox.mail_entry set is_kept = true, is_unread = true
      where owner_id = (select id from bindings.owner limit 1) and email_id in (select ${emailIdOf("n")} from ${series})`,
  );
}

/** Thirty days of mail for each of ten thousand bindings, and for their account. */
export async function addMailDays(url: string): Promise<void> {
  await asSuperuser(
    url,
    `insert into mailbox.mail_day (owner_id, binding_id, day, received, delivered, last_at)
     select owner.id, coalesce(binding.id, '${wholeAccount}'), current_date - back, count(*), count(*), now() - back * interval '1 day'
       from (select id from bindings.owner limit 1) as owner, generate_series(0, 29) as back,
            (select ${idOf("binding", "n")} as id from generate_series(1, 10000) as n) as binding
      group by grouping sets ((owner.id, binding.id, back), (owner.id, back))`,
  );
}

/** Over ten thousand domains. A tenth of them are dead: what waits for those has been attempted and is due again in an hour. */
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
