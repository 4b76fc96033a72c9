import { createHash } from "node:crypto";
import { cp, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { cacheFolder } from "../peers/cache-folder.ts";
import { runCommand } from "../peers/command.ts";
import { goCommand } from "../peers/go-toolchain.ts";
import { onceOnly } from "../peers/once-only.ts";

const limitMs = 5 * 60_000;

/** An image with one program in it and nothing else, as the archive that docker would save. */
export async function programImage(tag: string, program: string): Promise<string> {
  const archive = join(cacheFolder("images"), `${tag.replaceAll(/[/:]/g, "_")}.tar`);
  await onceOnly(archive, async () => {
    const scratch = `${archive}.new`;
    await rm(scratch, { recursive: true, force: true });
    await mkdir(join(scratch, "layer"), { recursive: true });
    await cp(program, join(scratch, "layer", "program"));
    await runCommand(
      "tar",
      [`--directory=${join(scratch, "layer")}`, "-cf", join(scratch, "layer.tar"), "program"],
      limitMs,
    );
    const layer = createHash("sha256")
      .update(await readFile(join(scratch, "layer.tar")))
      .digest("hex");
    const architecture = (await runCommand(await goCommand(), ["env", "GOARCH"], limitMs)).trim();
    const configuration = {
      architecture,
      os: "linux",
      config: { Entrypoint: ["/program"] },
      rootfs: { type: "layers", diff_ids: [`sha256:${layer}`] },
    };
    await writeFile(join(scratch, "config.json"), JSON.stringify(configuration));
    const manifest = [{ Config: "config.json", RepoTags: [tag], Layers: ["layer.tar"] }];
    await writeFile(join(scratch, "manifest.json"), JSON.stringify(manifest));
    const parts = ["manifest.json", "config.json", "layer.tar"];
    await runCommand("tar", [`--directory=${scratch}`, "-cf", join(scratch, "image.tar"), ...parts], limitMs);
    await rename(join(scratch, "image.tar"), archive);
    await rm(scratch, { recursive: true });
  });
  return archive;
}

/** The program that every pod begins with. */
export async function pauseProgram(): Promise<string> {
  const file = join(cacheFolder("pause-1"), "pause");
  await onceOnly(file, async () => {
    await mkdir(dirname(file), { recursive: true });
    const source = join(import.meta.dirname, "pause.go");
    const build = ["CGO_ENABLED=0", await goCommand(), "build", "-ldflags=-s -w", `-o=${file}.new`, source];
    await runCommand("env", build, limitMs);
    await rename(`${file}.new`, file);
  });
  return file;
}
