// Makes domains, addresses, rules and keys what a file says: node sync.mjs desired-state.json. Run again, it changes nothing.
//
// POSTERN_URL, and POSTERN_TOKEN: the account's API token. Keys are made and changed in a session that has just given the password:
// give its bearer token as POSTERN_BEARER instead. The API token finds out whether they are as the file says.
import { readFile } from "node:fs/promises";

const { POSTERN_URL: url, POSTERN_TOKEN: token, POSTERN_BEARER: bearer } = process.env;
const credential = bearer ? { authorization: `Bearer ${bearer}` } : { token };

const desired = JSON.parse(await readFile(process.argv[2], "utf8"));

// A rule names its address or domain: those come first.
for (const kind of ["domains", "addresses", "rules", "keys"])
  for (const [name, wanted] of Object.entries(desired[kind] ?? {})) {
    const response = await fetch(`${url}/api/postern/v1/${kind}/${encodeURIComponent(name)}`, {
      method: "PUT",
      headers: { "content-type": "application/json", ...credential },
      body: JSON.stringify(wanted),
    });
    const { data } = await response.json();
    if (!response.ok) throw new Error(`${kind} ${name}: ${response.status} ${data.attributes.message}`);
    // The key itself, when it was made: keep it, it is not shown again.
    process.stdout.write(`${response.status === 201 ? "made" : "there"} ${kind} ${name} ${data.key ?? ""}\n`);
  }
