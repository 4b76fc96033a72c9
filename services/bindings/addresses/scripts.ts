/** The scripts in common use (UAX 31 table 5); what is written in others is hard to check by eye. */
const scripts = [
  ...["Arab", "Armn", "Beng", "Bopo", "Cyrl", "Deva", "Ethi", "Geor", "Grek", "Gujr", "Guru", "Hang", "Hani", "Hebr"],
  ...[
    "Hira",
    "Kana",
    "Khmr",
    "Knda",
    "Laoo",
    "Latn",
    "Mlym",
    "Mymr",
    "Orya",
    "Sinh",
    "Taml",
    "Telu",
    "Thaa",
    "Thai",
    "Tibt",
  ],
];

/** Writing systems that use several scripts together (UTS 39 section 5.1): Chinese with Bopomofo, Japanese, Korean. */
const systems = [...scripts.map((script) => [script]), ["Hani", "Bopo"], ["Hani", "Hira", "Kana"], ["Hani", "Hang"]];

/** Digits, punctuation, symbols and combining marks that belong to no script go with each. */
const patterns = systems.map(
  (system) => new RegExp(`^[${[...system, "Zyyy", "Zinh"].map((script) => `\\p{scx=${script}}`).join("")}]*$`, "u"),
);

/** Whether a text is written in one script (UTS 39 section 5.2, Single Script). */
export function isSingleScript(text: string): boolean {
  return patterns.some((pattern) => pattern.test(text));
}
