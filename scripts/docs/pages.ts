import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "../../docs");

export interface DocsPage {
  /** In docs/, without .md: its path under /docs. */
  readonly name: string;
  readonly title: string;
  readonly markdown: string;
}

export interface Chapter {
  readonly title: string;
  readonly pages: readonly DocsPage[];
}

/** In this order; pages of docs/ that stand nowhere here follow in the first chapter. */
const ofOwners = ["getting-started", "password-managers", "waiting-for-mail", "events", "answering", "domains"];
const ofOperators = ["operating", "kubernetes", "recovery", "scale", "configuration", "metrics", "traces", "slo"];
/** For who works on Postern: it names files of the repository. */
const notShown = ["threat-model"];

/** Everything that the site has. */
export function chapters(): Chapter[] {
  const names = namesIn("").filter((name) => !notShown.includes(name));
  const others = names.filter((name) => !ofOwners.includes(name) && !ofOperators.includes(name));
  return [
    { title: "Using Postern", pages: [...ofOwners, ...others].map(page) },
    { title: "Operating Postern", pages: ofOperators.map(page) },
    { title: "Runbooks", pages: namesIn("runbooks").map((name) => page(`runbooks/${name}`)) },
  ];
}

function namesIn(subfolder: string): string[] {
  return readdirSync(join(folder, subfolder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => name.slice(0, -".md".length))
    .sort();
}

function page(name: string): DocsPage {
  const markdown = readFileSync(join(folder, `${name}.md`), "utf8");
  const title = /^# (.+)$/m.exec(markdown)?.[1];
  if (title === undefined) throw new Error(`docs/${name}.md has no title: its first line is "# …".`);
  return { name, title: title.replaceAll("`", ""), markdown };
}

/** The commands that a page says are tested: its fenced blocks marked `sh test`, in order. Exported for tests. */
export function testedCommands({ markdown }: Pick<DocsPage, "markdown">): string[] {
  return [...markdown.matchAll(/^```sh test\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);
}
