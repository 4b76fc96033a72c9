import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";

// `npm run cluster` on machines that have kubectl, kind, k3d and Docker, or not: programs of those names that note what they are
// told. Whether kind and k3d understand it, their own sources say: kind 0.31, k3d 5.8.

const script = join(import.meta.dirname, "../cluster.ts");
const root = join(import.meta.dirname, "../..");

let machine: Machine;
beforeEach(async () => {
  machine = new Machine(await mkdtemp(join(tmpdir(), "postern-machine-")));
  await symlink("/bin/sh", join(machine.folder, "sh"));
});
afterEach(() => rm(machine.folder, { recursive: true }));

/** A machine on whose path there is nothing but what a test puts there. */
class Machine {
  readonly folder: string;
  readonly kubeconfig: string;

  constructor(folder: string) {
    this.folder = folder;
    this.kubeconfig = join(folder, ".cache/postern/other-cluster/kubeconfig");
  }

  /** Adds a program: what it does by its words, `$*`, in shell without other programs. */
  async has(name: string, does = ""): Promise<void> {
    const text = `#!/bin/sh\necho "${name} $*" >> "$HOME/told"\ncase "$*" in\n${does}\nesac\n`;
    await writeFile(join(this.folder, name), text);
    await chmod(join(this.folder, name), 0o755);
  }

  /** A kubectl whose kubeconfig has a context, and leads to a cluster. */
  hasContext(name: string): Promise<void> {
    return this.has(
      "kubectl",
      `"config current-context") echo ${name} ;; "config view "*) echo "the way to ${name}" ;;`,
    );
  }

  hasNoContext(): Promise<void> {
    return this.has("kubectl", '"config current-context") exit 1 ;;');
  }

  async cluster(words: string, environment: NodeJS.ProcessEnv = {}): Promise<{ printed: string; told: string[] }> {
    await writeFile(join(this.folder, "told"), "");
    const env = { PATH: this.folder, HOME: this.folder, TMPDIR: this.folder, ...environment };
    const printed = await new Promise<string>((resolve) => {
      execFile(process.execPath, [script, ...words.split(" ")], { env }, (_, out, fault) => resolve(out + fault));
    });
    const told = (await readFile(join(this.folder, "told"), "utf8")).trim().split("\n");
    return { printed, told: told.filter((line) => !/ (version|info)( --client)?$|^kubectl config current/.test(line)) };
  }
}

/** Clusters are there once they were made. */
const kind = '"create cluster "*) echo > "$HOME/made" ;; "export kubeconfig "*) [ -e "$HOME/made" ] ;;';
const k3d = '"cluster create "*) echo > "$HOME/made" ;; "kubeconfig merge "*) [ -e "$HOME/made" ] ;;';
const image = "postern:dev";

test("kind is taken where it is on the path: makes a cluster once, loads the image, and deletes it", async () => {
  await machine.hasNoContext();
  await machine.has("docker");
  await machine.has("kind", kind);
  const at = `--name=postern --kubeconfig=${machine.kubeconfig}`;
  const bringsImage = [`docker build --tag=${image} ${root}`, `kind load docker-image ${image} --name=postern`];
  const nodes = `kubectl --kubeconfig=${machine.kubeconfig} get nodes`;

  const first = await machine.cluster("up");
  expect(first.printed).toContain("no kubeconfig: it has no current context\ntaking kind: ");
  expect(first.told).toEqual([
    `kind export kubeconfig ${at}`,
    `kind create cluster ${at} --wait=5m`,
    `kind export kubeconfig ${at}`,
    ...bringsImage,
    nodes,
  ]);
  const second = await machine.cluster("up");
  expect(second.printed).toContain("kind is in use already");
  expect(second.told).toEqual([`kind export kubeconfig ${at}`, ...bringsImage, nodes]);
  expect((await machine.cluster("up --use=k3d")).printed).toBe("kind is in use: npm run cluster -- down\n");
  expect((await machine.cluster("status")).printed).toBe(
    `kind postern, made by \`up\`\nimage ${image}\n\nexport KUBECONFIG=${machine.kubeconfig}\n`,
  );
  expect((await machine.cluster("down")).told).toEqual([`kind delete cluster ${at}`]);
  expect((await machine.cluster("status")).printed).toBe("no cluster: npm run cluster -- up\n");
});

test("k3d is taken where there is no kind", async () => {
  await machine.hasNoContext();
  await machine.has("docker");
  await machine.has("k3d", k3d);
  const { printed, told } = await machine.cluster("up");
  expect(printed).toContain("no kind: it is not on the path\ntaking k3d: ");
  const describe = `k3d kubeconfig merge postern --output=${machine.kubeconfig}`;
  expect(told.slice(0, -1)).toEqual([
    describe,
    "k3d cluster create postern --kubeconfig-update-default=false --timeout=5m",
    describe,
    `docker build --tag=${image} ${root}`,
    `k3d image import ${image} --cluster=postern`,
  ]);
  expect((await machine.cluster("down")).told).toEqual(["k3d cluster delete postern"]);
});

test("a cluster of that name that was there before is used, and not deleted", async () => {
  await machine.hasNoContext();
  await machine.has("docker");
  await machine.has("kind", '"create cluster "*) exit 1 ;;');
  expect((await machine.cluster("up")).printed).toContain("not made here");
  const { printed, told } = await machine.cluster("down");
  expect([printed, told]).toEqual(["kind postern was not made here, and is left as it is\n", [""]]);
});

test("a kubeconfig that leads to a cluster comes first; its owner says how images come there", async () => {
  await machine.hasContext("prod");
  await machine.has("docker");
  await machine.has("kind", kind);
  const unnamed = await machine.cluster("up");
  expect(unnamed.printed).toContain("taking kubeconfig: its context prod answers\nprod: how do its nodes come to");
  expect((await machine.cluster("status")).printed).toContain("no cluster");

  const pushed = await machine.cluster("up", { REGISTRY: "registry.example.org/me" });
  const tag = `registry.example.org/me/${image}`;
  expect(pushed.told.filter((line) => line.startsWith("docker"))).toEqual([
    `docker build --tag=${tag} ${root}`,
    `docker push ${tag}`,
  ]);
  // Somebody switches to another context meanwhile.
  await machine.hasContext("staging");
  expect((await machine.cluster("up", { REGISTRY: "registry.example.org/me" })).printed).toContain("kubeconfig prod, ");
  expect(await readFile(machine.kubeconfig, "utf8")).toBe("the way to prod\n");
  expect((await machine.cluster("down")).printed).toBe("kubeconfig prod was not made here, and is left as it is\n");
});

test("IMAGE names one that is there: nothing is built", async () => {
  await machine.hasContext("prod");
  const { printed, told } = await machine.cluster("up --use=kubeconfig", { IMAGE: "example.org/postern:1" });
  expect(printed).toContain("image example.org/postern:1\n");
  expect(told.filter((line) => !line.startsWith("kubectl"))).toEqual([]);
});

test("a kubeconfig that leads to a cluster of kind or k3d gets the image by that", async () => {
  await machine.hasContext("k3d-mine");
  await machine.has("docker");
  await machine.has("k3d", k3d);
  const { told } = await machine.cluster("up");
  expect(told).toContain(`k3d image import ${image} --cluster=mine`);
  expect((await machine.cluster("down")).told).toEqual([""]);
});

test("--use takes another one than the first, or says why it cannot", async () => {
  await machine.hasContext("prod");
  await machine.has("docker");
  await machine.has("k3d", k3d);
  expect((await machine.cluster("up --use=kind")).printed).toBe("no kind: it is not on the path\n");
  expect((await machine.cluster("up --use=k3d")).printed).toContain("taking k3d: ");
  await machine.has("docker", "info) exit 1 ;;");
  await machine.cluster("down");
  expect((await machine.cluster("up --use=k3d")).printed).toBe("no k3d: no Docker answers\n");
  expect((await machine.cluster("up --use=other")).printed).toContain("--use=kubeconfig|kind|k3d|own");
});

test("a cluster of its own is taken where nothing else is there", async () => {
  await machine.has("kubectl", '"config current-context") echo gone ;; "get --raw=/readyz "*) exit 1 ;;');
  await machine.has("kind", kind);
  // It comes no further: there is nothing on the path that it could be made by.
  expect((await machine.cluster("up")).printed.split("\n").slice(0, 4)).toEqual([
    "no kubeconfig: its context gone does not answer",
    "no kind: no Docker answers",
    "no k3d: it is not on the path",
    "taking own: of programs that are built here once",
  ]);
});
