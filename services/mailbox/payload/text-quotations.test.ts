import { expect, test } from "@jest/globals";
import { stripText } from "./text-quotations.ts";

const said = (text: string) => stripText(text).text;

test.each([
  ["Gmail", "Yes.\n\nOn Mon, Jan 5, 2026 at 10:00 AM Ann <ann@example.org> wrote:\n\n> Shall we?\n> Ann"],
  [
    "Gmail, wrapped",
    "Yes.\n\nOn Mon, Jan 5, 2026 at 10:00 AM Ann Example With A Long Name\n<ann@example.org> wrote:\n> Shall we?",
  ],
  ["German", "Yes.\n\nAm 05.01.26 um 10:00 schrieb Ann Example:\n> Shall we?"],
  ["French", "Yes.\n\nLe lun. 5 janv. 2026 à 10:00, Ann <ann@example.org> a écrit :\n> Shall we?"],
  ["Spanish", "Yes.\n\nEl lun, 5 ene 2026 a las 10:00, Ann (<ann@example.org>) escribió:\n\n> Shall we?"],
  ["Russian", "Yes.\n\nпн, 5 янв. 2026 г. в 10:00, Ann <ann@example.org> пишет:\n> Shall we?"],
  [
    "Outlook",
    "Yes.\n\n________________________________\nFrom: Ann <ann@example.org>\nSent: Monday\nTo: Bob\nSubject: Q\n\nShall we?",
  ],
  ["Outlook, German", "Yes.\n\nVon: Ann <ann@example.org>\nGesendet: Montag\nAn: Bob\nBetreff: Q\n\nShall we?"],
  ["Outlook, old", "Yes.\n\n-----Original Message-----\nFrom: Ann\nShall we?"],
  ["bare quotation", "> Shall we?\n\nYes."],
])("%s: only the answer is left", (_client, text) => {
  expect(said(text)).toBe("Yes.");
});

test("answers between and below quotations stay", () => {
  expect(said("On Monday Ann wrote:\n> One?\nYes.\n> Two?\nNo.\n")).toBe("Yes.\nNo.");
});

test("a forwarded message is what is being said", () => {
  const text =
    "FYI\n\n---------- Forwarded message ---------\nFrom: Ann <ann@example.org>\nDate: Mon\nSubject: Q\nTo: Bob\n\nShall we?";
  expect(stripText(text)).toEqual({ text, signature: "" });
});

test("the signature is set apart", () => {
  expect(stripText("Yes.\n\n-- \nBob\nExample Ltd\n")).toEqual({ text: "Yes.", signature: "Bob\nExample Ltd" });
  expect(stripText("Yes.\n\n-- \nBob\n\nOn Monday Ann wrote:\n> Q\n> -- \n> Ann")).toEqual({
    text: "Yes.",
    signature: "Bob",
  });
  expect(stripText("Yes.\n\nSent from my iPhone\n")).toEqual({ text: "Yes.", signature: "Sent from my iPhone" });
});

test.each([
  "On reflection I wrote: nothing much.\nSee you",
  "On Monday we wrote the following:\nNo more.",
  "From: the heart\nI mean it",
  "Dear all,\n\n* one -- two\n* three",
  "Sent from my desk to yours",
  "",
])("ordinary prose is left alone: %j", (text) => {
  expect(stripText(text)).toEqual({ text, signature: "" });
});

test("long and hostile texts take time in proportion", () => {
  const text = `On ${"wrote ".repeat(100_000)}\n${"On x\n".repeat(100_000)}${"From: x\n".repeat(50_000)}`;
  expect(said(text).length).toBeGreaterThan(0);
});
