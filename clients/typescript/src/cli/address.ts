import type { Address } from "../addresses.ts";
import type { Postern } from "../postern.ts";
import { parsed, positionals } from "./arguments.ts";
import { UsageError } from "./exit-codes.ts";
import { plain, say } from "./output.ts";

/** `postern address …` */
export async function address(args: string[], client: () => Postern): Promise<void> {
  const [command, ...others] = args;
  const commands = { new: make, list, remove };
  if (command === undefined || !Object.hasOwn(commands, command))
    throw new UsageError("postern address: expected new, list or remove.");
  await commands[command as keyof typeof commands](others, client);
}

async function make(args: string[], client: () => Postern): Promise<void> {
  const { values, positionals: given } = parsed(args, {
    address: { type: "string" },
    to: { type: "string", multiple: true },
    description: { type: "string" },
    callback: { type: "string" },
    "not-kept": { type: "boolean", default: false },
  });
  positionals(given, []);
  const made = await client().addresses.create({
    address: values.address,
    targets: values.to,
    description: values.description,
    callbackUrl: values.callback,
    isBrowsable: !values["not-kept"],
  });
  say(values.json ? JSON.stringify(made) : made.address);
}

async function list(args: string[], client: () => Postern): Promise<void> {
  const { values, positionals: given } = parsed(args, { search: { type: "string" } });
  positionals(given, []);
  for await (const each of client().addresses.list({ search: values.search }))
    say(values.json ? JSON.stringify(each) : line(each));
}

function line({ id, address, description }: Address): string {
  return [id, address, plain(description)].join("\t").trimEnd();
}

async function remove(args: string[], client: () => Postern): Promise<void> {
  const { values, positionals: given } = parsed(args, {});
  const [wanted = ""] = positionals(given, ["An address or its id"]);
  const postern = client();
  const id = wanted.includes("@") ? (await postern.addresses.get(wanted)).id : wanted;
  await postern.addresses.remove(id);
  if (values.json) say(JSON.stringify({ id }));
}
