import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { runCommand } from "../../scripts/peers/command.ts";

const root = join(import.meta.dirname, "../..");
const limitMs = 500_000;
const version = "99.0.0";

/** A clone of its own, with this tree's files as they stand. */
let clone: string;
const git = async (...args: string[]) => (await runCommand("git", ["-C", clone, ...args], limitMs)).trim();
const release = (asked: string) => runCommand(process.execPath, [join(clone, "scripts/release.ts"), asked], limitMs);

beforeAll(async () => {
  clone = await mkdtemp(join(tmpdir(), "postern-release-"));
  await git("init", "--quiet");
  const names = await runCommand(
    "git",
    ["-C", root, "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
    limitMs,
  );
  await writeFile(join(clone, ".names"), names);
  await runCommand(
    "tar",
    [
      "--create",
      "--directory",
      root,
      "--null",
      "--ignore-failed-read",
      "--files-from",
      join(clone, ".names"),
      "--file",
      join(clone, ".tar"),
    ],
    limitMs,
  );
  await runCommand("tar", ["--extract", "--directory", clone, "--file", join(clone, ".tar")], limitMs);
  await rm(join(clone, ".names"));
  await rm(join(clone, ".tar"));
  await symlink(join(root, "node_modules"), join(clone, "node_modules"));
  await writeFile(join(clone, ".git/info/exclude"), "node_modules\n");
  await git("config", "user.name", "Releaser");
  await git("config", "user.email", "releaser@example.org");
  await git("add", "--all");
  await git("commit", "--quiet", "--message=test: the tree");
});
afterAll(() => rm(clone, { recursive: true, force: true }));

test("a version that is none, or not higher, is refused and changes nothing", async () => {
  const tags = await git("tag", "--list");
  for (const asked of ["", "1.0", "v99.0.0", "0.0.9", "0.1.0-rc.1"])
    await expect(release(asked)).rejects.toThrow("No release");
  await writeFile(join(clone, "untidy.txt"), "not committed");
  await expect(release(version)).rejects.toThrow("not committed");
  await rm(join(clone, "untidy.txt"));
  expect(await git("status", "--porcelain")).toBe("");
  expect(await git("tag", "--list")).toBe(tags);
});

test("a release is one tagged commit that says its version everywhere, and packages whose provenance names them", async () => {
  const printed = await release(version);
  expect(printed).toContain(`${version} is commit ${await git("rev-parse", `${version}^{commit}`)}`);
  expect(await git("status", "--porcelain")).toBe("");
  const changed = (await git("show", "--name-only", "--format=", "HEAD")).split("\n");
  expect(changed).toEqual(
    expect.arrayContaining(["CHANGELOG.md", "package.json", "package-lock.json", "charts/postern/Chart.yaml"]),
  );
  expect(await readFile(join(clone, "CHANGELOG.md"), "utf8")).toMatch(
    /^## \[Unreleased\]\n\n## \[99\.0\.0\] - \d{4}-\d\d-\d\d\n/m,
  );
  const page = await readFile(join(clone, "docs/kubernetes.md"), "utf8");
  const images = page.matchAll(/registry\.example\.org\/postern(?::|, tag: ")([\d.]+)/g);
  expect([...images].map(([, tag]) => tag)).toEqual([version, version, version]);

  const folder = join(clone, "release", version);
  expect((await readdir(folder)).sort()).toEqual([
    "SHA256SUMS",
    "licences.txt",

    `postern-${version}.tar`,
    `postern-${version}.tgz`,
    `postern-client-${version}.tgz`,
    `postern_client-${version}-py3-none-any.whl`,
    "provenance.json",
    "sbom.cdx.json",
  ]);
  const provenance = JSON.parse(await readFile(join(folder, "provenance.json"), "utf8")) as {
    subject: { name: string; digest: { sha256: string } }[];
    predicate: { buildDefinition: { resolvedDependencies: { digest: { gitCommit?: string } }[] } };
  };
  expect(provenance.subject).toHaveLength(6);
  for (const { name, digest } of provenance.subject)
    expect(
      createHash("sha256")
        .update(await readFile(join(folder, name)))
        .digest("hex"),
    ).toBe(digest.sha256);
  expect(provenance.predicate.buildDefinition.resolvedDependencies[0]?.digest.gitCommit).toBe(
    await git("rev-parse", "HEAD"),
  );
  const { metadata, components } = JSON.parse(await readFile(join(folder, "sbom.cdx.json"), "utf8")) as {
    metadata: { component: object };
    components: { name: string }[];
  };
  expect(metadata.component).toMatchObject({ type: "application", name: "postern", version });
  const { dependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  expect(components.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(dependencies)));
  expect(components.map(({ name }) => name)).not.toContain("jest");
  await expect(release(version)).rejects.toThrow("does not come after");
});
