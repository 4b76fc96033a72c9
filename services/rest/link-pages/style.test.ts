import { readFile } from "node:fs/promises";
import { expect, test } from "@jest/globals";
import { style } from "./style.ts";

test("its colours are the web application's", async () => {
  const tokens = await readFile(new URL("../../../web/src/styles/tokens.css", import.meta.url), "utf8");
  const colours = (css: string): string[] => css.match(/light-dark\((?:rgb\([^)]*\)|[^)])*\)/g) ?? [];
  expect(colours(style).length).toBeGreaterThan(10);
  expect(colours(style).filter((colour) => !colours(tokens).includes(colour))).toEqual([]);
});
