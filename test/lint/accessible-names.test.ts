import { join } from "node:path";
import { expect, test } from "@jest/globals";

const folder = join(import.meta.dirname, "../../web/src/texts");

type Catalogue = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

async function catalogueOf(language: string): Promise<Catalogue> {
  return (await import(join(folder, language, "index.ts")))[language];
}

test.each(["english", "german"])(
  "in %s what a button is called by has the words that stand on it",
  async (language) => {
    const names = Object.entries(await catalogueOf(language)).flatMap(([section, texts]) =>
      Object.entries(texts).flatMap(([text, name]) => {
        const label = texts[text.replace(/What$/, "")];
        if (typeof name !== "function" || typeof label !== "string") return [];
        return { text: `${section}.${text}`, label, name: String(name("x", "y")) };
      }),
    );
    expect(names.length).toBeGreaterThan(15);
    const without = names.filter(({ label, name }) => !name.toLowerCase().includes(label.toLowerCase()));
    expect(without).toEqual([]);
  },
);
