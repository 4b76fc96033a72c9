import { setTimeout as delay } from "node:timers/promises";
import nodemailer from "nodemailer";
import { type ConfigOf, defineConfig, loadConfig, optionalText } from "../platform/config.ts";
import { messageOf, Refusal } from "../platform/errors.ts";
import { newId } from "../platform/ids.ts";
import { type Command, UsageError } from "./command.ts";

/** The account that auth creates at its start; this command reads the same variables. */
const accountConfig = defineConfig({ BOOTSTRAP_USER: optionalText(), BOOTSTRAP_PASSWORD: optionalText() });

const pollMs = 500;
const requestTimeoutMs = 10_000;

interface Resource {
  id: string;
  attributes: Record<string, unknown>;
}

export const roundTrip: Command = {
  name: "round-trip",
  synopsis: "--api=http://HOST:PORT --smtp=HOST:PORT [--timeout=SECONDS]",
  sentence: "Sends a mail to a proxy address made for it, by the account in BOOTSTRAP_USER, and sees it arrive.",
  options: { api: { type: "string" }, smtp: { type: "string" }, timeout: { type: "string" } },
  words: { min: 0, max: 0 },
  async run({ environment }, { values }) {
    const { api, smtp, timeout = "60" } = values;
    if (typeof api !== "string" || typeof smtp !== "string" || !/^\S+:\d+$/.test(smtp) || !URL.canParse(api))
      throw new UsageError("round-trip: takes --api=http://HOST:PORT and --smtp=HOST:PORT");
    if (!Number.isFinite(Number(timeout))) throw new UsageError("round-trip: --timeout takes seconds");
    const startedMs = Date.now();
    const call = caller(api);
    const token = await signIn(call, loadConfig(accountConfig, environment));
    const attributes = { real_addresses: [], is_browsable: true, description: "round-trip" };
    const { data: binding } = (await call("POST", "/proxy-bindings", token, {
      type: "proxy_bindings",
      attributes,
    })) as {
      data: Resource;
    };
    try {
      const address = String(binding.attributes["proxy_address"]);
      const subject = `Round trip ${newId()}`;
      const answer = await send(smtp, address, subject);
      await arrival(call, token, binding.id, subject, startedMs + Number(timeout) * 1_000);
      const seconds = (Date.now() - startedMs) / 1_000;
      return {
        json: { address, answer, seconds },
        lines: [`${address}: ${answer}`, `It arrived, in ${seconds} s in all.`],
      };
    } finally {
      await call("DELETE", `/proxy-bindings/${binding.id}`, token);
    }
  },
};

type Call = (method: string, path: string, authorization: Record<string, string>, data?: object) => Promise<unknown>;

/** @throws Refusal saying what was asked and what was answered. */
function caller(api: string): Call {
  return async (method, path, authorization, data) => {
    const what = `${method} ${path}`;
    const answer = await fetch(`${api}/api/v1${path}`, {
      method,
      headers: { ...authorization, "content-type": "application/json" },
      body: data && JSON.stringify({ data }),
      signal: AbortSignal.timeout(requestTimeoutMs),
    }).catch((cause: unknown) => failed(what, messageOf(cause)));
    const text = await answer.text();
    return answer.ok ? (text === "" ? undefined : JSON.parse(text)) : failed(what, `${answer.status} ${text}`);
  };
}

function failed(what: string, why: string): never {
  throw new Refusal("NotFound", { public: `${what}: ${why}` });
}

async function signIn(call: Call, account: ConfigOf<typeof accountConfig>): Promise<Record<string, string>> {
  const { BOOTSTRAP_USER: username, BOOTSTRAP_PASSWORD: password } = account;
  if (!username || !password) throw new UsageError("round-trip: needs BOOTSTRAP_USER and BOOTSTRAP_PASSWORD");
  const signedIn = await call("POST", "/auth", {}, { type: "auth-request", attributes: { username, password } });
  const bearer = (signedIn as { data: Resource }).data.attributes["token"];
  const { token } = (await call("GET", "/api-token", { authorization: `Bearer ${bearer}` })) as { token: string };
  return { token };
}

/** @returns what the server said to the final dot. */
async function send(smtp: string, to: string, subject: string): Promise<string> {
  const at = smtp.lastIndexOf(":");
  const transport = nodemailer.createTransport({
    host: smtp.slice(0, at),
    port: Number(smtp.slice(at + 1)),
    // Within a cluster the service's name is not the certificate's.
    tls: { rejectUnauthorized: false },
  });
  try {
    return (await transport.sendMail({ from: "", to, subject, text: "Sent by `admin round-trip`." })).response;
  } catch (cause) {
    return failed(`mail by ${smtp}`, messageOf(cause));
  } finally {
    transport.close();
  }
}

async function arrival(call: Call, token: Record<string, string>, bindingId: string, subject: string, untilMs: number) {
  while (Date.now() < untilMs) {
    const { data: links } = (await call("GET", `/received-emails-links/${bindingId}`, token)) as { data: Resource[] };
    for (const { attributes } of links) {
      const path = String(attributes["link"]).replace("/api/v1", "");
      const { data: email } = (await call("GET", path, token)) as { data: Resource };
      if (email.attributes["subject"] === subject) return;
    }
    await delay(pollMs);
  }
  failed("the mail", "was accepted, but did not arrive in time");
}
