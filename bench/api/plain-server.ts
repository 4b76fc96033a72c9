// What a REST list read costs at least: express and pg, the statement of the list, its answer as JSON; no credentials, no checks.
// node bench/api/plain-server.ts PORT DATABASE_URL OWNER_ID
import express from "express";
import pg from "pg";

const [port, connectionString, ownerId] = process.argv.slice(2);

const statement = `select id, owner_id, proxy_address, description, callback_url, is_browsable, is_automatic, received_emails, created_at, updated_at,
    (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'address', address, 'isEnabled', is_enabled, 'isVerified', verified_at is not null,
                               'isVerificationNeeded', verified_at is null and not is_internal) order by id), '[]')
       from real_address where binding_id = binding.id) as real_addresses
  from binding where owner_id = $1 order by id desc`;

interface Row {
  id: string;
  owner_id: string;
  proxy_address: string;
  description: string;
  callback_url: string;
  is_browsable: boolean;
  is_automatic: boolean;
  received_emails: string;
  created_at: Date;
  updated_at: Date;
  real_addresses: { address: string; isEnabled: boolean; isVerified: boolean; isVerificationNeeded: boolean }[];
}

const pool = new pg.Pool({ connectionString, max: 10, options: "-c search_path=bindings" });
const app = express().disable("x-powered-by").disable("etag");
const timestamp = (at: Date) => at.toISOString().slice(0, 19).replace("T", " ");

app.get("/api/v1/proxy-bindings", async (_request, response) => {
  const { rows } = await pool.query<Row>({ name: "list", text: statement, values: [ownerId] });
  const data = rows.map((row) => ({
    type: "proxy_bindings",
    id: row.id,
    attributes: {
      real_addresses: Object.fromEntries(
        row.real_addresses.map(({ address, isEnabled, isVerified, isVerificationNeeded }) => [
          address,
          { is_enabled: isEnabled, is_verified: isVerified, is_verification_needed: isVerificationNeeded },
        ]),
      ),
      proxy_address: row.proxy_address,
      received_emails: Number(row.received_emails),
      description: row.description,
      callback_url: row.callback_url,
      type: row.is_automatic ? 1 : 0,
      is_browsable: row.is_browsable,
      created_at: timestamp(row.created_at),
      updated_at: timestamp(row.updated_at),
    },
    relationships: { user: { data: { type: "users", id: row.owner_id } } },
  }));
  const used = rows.filter((row) => !row.is_automatic).length;
  response.json({
    meta: { usedProxyBindings: used, availableProxyBindings: 100, isVerificationEmailSend: false },
    data,
  });
});
app.listen(Number(port), "127.0.0.1");
