import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { Refusal } from "../../platform/errors.ts";
import { createLogger } from "../../platform/telemetry/logger.ts";
import { restApplication } from "../http/application.ts";
import { accountRoutes } from "./account-links.ts";
import { heldAnswerRoutes } from "./held-answer-links.ts";
import { verificationRoutes } from "./real-address-links.ts";

const addresses = { realAddress: "<jane>@example.net", proxyAddress: "shop@postern.example" };
const account = { username: "<ann>@example.net", isSecondFactorRequired: true };
const answer = {
  proxyAddress: "shop@postern.example",
  recipients: ["<bob>@example.com"],
  places: [
    "in the text that you wrote",
    'in the attachment "<a>.zip", which is encrypted and cannot be searched',
    "in the header, such as the subject",
    "somewhere <new>",
  ],
};

/** What a service refuses with, if it does. */
let refusal: Refusal | undefined;
let server: Server;
let url: string;
beforeAll(async () => {
  const logger = createLogger({ LOG_LEVEL: "silent", LOG_FORMAT: "json" });
  const answering =
    <T>(answer: T) =>
    async () => {
      if (refusal) throw refusal;
      return answer;
    };
  const bindings = { describeVerification: answering(addresses), verify: answering(addresses) };
  const forwarder = { describeHeldAnswer: answering(answer), sendHeldAnswer: answering(answer) };
  const auth = {
    ...{ describeConfirmation: async () => account, confirmAddress: answering({ bearer: undefined }) },
    ...{ describeReset: async () => account, resetPassword: answering({}) },
  };
  const pages = [
    verificationRoutes(bindings as never, logger),
    heldAnswerRoutes(forwarder as never, logger),
    accountRoutes(auth as never, "http://postern.example", logger),
  ];
  server = createServer(restApplication({ endpoints: [], pages, services: {} as never, logger })).listen(0);
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  refusal = undefined;
});
afterAll(() => void server.close());

async function page(method: string, path: string, language?: string) {
  const headers = language === undefined ? {} : { "accept-language": language };
  const response = await fetch(`${url}${path}`, { method, headers, redirect: "manual" });
  const text = await response.text();
  const [, shown] = /<html lang="(\w+)">/.exec(text) ?? [];
  const [, title] = /<h1>(.*)<\/h1>/.exec(text) ?? [];
  return { status: response.status, vary: response.headers.get("vary"), language: shown, title, text };
}

test.each([
  ["GET", "/verify/x", "Is this address yours?", "Ist das Ihre Adresse?"],
  ["POST", "/verify/x", "Verified", "Bestätigt"],
  ["GET", "/answers/x", "Send this answer as it is?", "Diese Antwort so senden?"],
  ["POST", "/answers/x", "It will be sent", "Sie wird gesendet"],
  ["GET", "/confirm/x", "Confirm your address", "Bestätigen Sie Ihre Adresse"],
  ["GET", "/reset/x", "Choose a new password", "Wählen Sie ein neues Passwort"],
  ["POST", "/reset/x", "Password updated", "Das Passwort ist geändert"],
  ["PUT", "/verify/x", "This link does not work", "Dieser Link funktioniert nicht"],
])("%s %s speaks English or German", async (method, path, english, german) => {
  const inGerman = await page(method, path, "de-DE,de;q=0.9,en;q=0.8");
  expect(inGerman).toMatchObject({ language: "de", title: german, vary: "Accept-Language" });
  const inEnglish = await page(method, path, "en-GB,en;q=0.9,de;q=0.8");
  expect(inEnglish).toMatchObject({ language: "en", title: english, vary: "Accept-Language" });
  expect(inGerman.status).toBe(inEnglish.status);
  for (const { text } of [inGerman, inEnglish]) {
    expect(text).not.toMatch(/<(?:ann|jane|bob|a|new)>/);
    expect(text).not.toContain("undefined");
  }
});

test.each([
  [undefined, "en"],
  ["", "en"],
  ["*", "en"],
  ["fr", "en"],
  ["de", "de"],
  ["DE-at", "de"],
  ["de, en", "de"],
  ["en, de", "en"],
  ["fr, en;q=0.4, de;q=0.5", "de"],
  ["de;q=0, *", "en"],
  ["de;q=x, ;;,", "en"],
  ["den", "en"],
])("of %s the language is %s", async (asked, language) => {
  expect((await page("GET", "/verify/x", asked)).language).toBe(language);
});

test("what a service refuses with is said in German too", async () => {
  const german = async (method: string, path: string, said: Refusal) => {
    refusal = said;
    const { status, text } = await page(method, path, "de");
    expect(status).toBe(said.status);
    return text;
  };
  const gone = new Refusal("Gone", { public: "This link has expired or has already been used." });
  expect(await german("GET", "/verify/x", gone)).toContain("Dieser Link ist abgelaufen oder wurde schon verwendet.");
  const blocked = new Refusal("SendingNotAllowed", {
    public: "A contact that this answer goes to is blocked, so the answer is not sent.",
  });
  expect(await german("POST", "/answers/x", blocked)).toMatch(/ist blockiert: .*funktioniert dieser Link wieder\./);
  const password = (fault: string) => new Refusal("ValidationFailed", { field: "password", public: fault });
  expect(await german("POST", "/reset/x", password("must have at least 12 characters."))).toContain(
    '<p role="alert">Das Passwort muss mindestens 12 Zeichen haben.</p>',
  );
  const wrong = new Refusal("WrongPassword", { public: "This is not the password that was chosen at sign-up." });
  expect(await german("POST", "/confirm/x", wrong)).toContain("bei der Registrierung");
  expect(await german("POST", "/verify/x", new Refusal("Conflict", { public: "Something new." }))).toContain(
    "Das war nicht möglich.",
  );
  expect(await page("POST", "/verify/x", "en")).toMatchObject({ text: expect.stringContaining("Something new.") });
});

test("the webhook's key has the word that it has in the web application", async () => {
  expect((await page("GET", "/reset/x", "de")).text).toContain("Webhook-Schlüssel");
});

test("where an answer shows an address is said in German, and what is not known as it is", async () => {
  const { text } = await page("GET", "/answers/x", "de");
  expect(text).toContain(
    "<ul><li>im Text, den Sie geschrieben haben</li><li>im Anhang „&#60;a&#62;.zip“, der verschlüsselt ist und nicht durchsucht werden kann</li><li>im Kopf der Nachricht, etwa im Betreff</li><li>somewhere &#60;new&#62;</li></ul>",
  );
});
