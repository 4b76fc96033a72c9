import { createHash } from "node:crypto";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runCommand } from "../peers/command.ts";
import { helmCommand } from "../peers/helm.ts";
import { providePython } from "../peers/python.ts";

const limitMs = 300_000;

/** What of a CycloneDX bill of materials is read. */
interface Bill {
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

interface Component {
  "bom-ref": string;
  name: string;
  version: string;
  licenses?: { license?: { id?: string; name?: string }; expression?: string }[];
  properties: { name: string; value: string }[];
}

/** What a release may bring along. The README says what follows from Elastic-2.0. */
const allowedLicences =
  /^(MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|CC0-1\.0|CC-BY-4\.0|Python-2\.0|Unlicense|Zlib)$/;
const allowedByName: Readonly<Record<string, string>> = {
  "@apollo/composition": "Elastic-2.0",
  "@apollo/federation-internals": "Elastic-2.0",
  "@apollo/gateway": "Elastic-2.0",
  "@apollo/query-graphs": "Elastic-2.0",
  "@apollo/query-planner": "Elastic-2.0",
  "mx-connect": "EUPL-1.1", // A library that is used as it is: its copyleft is for changes of itself.
};

/** A line for each package: name, version, licence. @throws Error naming each whose licence is not allowed, or not said */
function licences({ components }: Bill): string[] {
  const found = components.map(({ name, version, licenses = [] }) => ({
    name,
    version,
    licence: licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name).join(" AND "),
  }));
  const isAllowed = ({ name, licence }: { name: string; licence: string }) =>
    licence === allowedByName[name] ||
    licence.split(" AND ").every((all) =>
      all
        .replace(/^\(|\)$/g, "")
        .split(" OR ")
        .some((one) => allowedLicences.test(one)),
    );
  const refused = found.filter((one) => !isAllowed(one));
  if (refused.length > 0)
    throw new Error(
      `Not known to be allowed: ${refused.map(({ name, version, licence }) => `${name} ${version} (${licence || "none said"})`).join(", ")}`,
    );
  return found.map(({ name, version, licence }) => `${name} ${version} ${licence}`).sort();
}

async function sha256(path: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(path))
    .digest("hex");
}

/** The packages of both clients and the chart, made of the sources, which are a checkout of the release. */
async function makePackages(sources: string, folder: string): Promise<void> {
  const python = join(sources, "venv/bin/python");
  await runCommand("npm", ["pack", join(sources, "clients/typescript"), "--pack-destination", folder], limitMs);
  await runCommand(await providePython(), ["-m", "venv", join(sources, "venv")], limitMs);
  const wheel = ["-m", "pip", "--quiet", "wheel", "--no-deps", "--wheel-dir", folder, join(sources, "clients/python")];
  await runCommand(python, wheel, limitMs);
  await runCommand(await helmCommand(), ["package", join(sources, "charts/postern"), "--destination", folder], limitMs);
}

/** The bill without what only development needs. `npm sbom --omit=dev` leaves out what both need. */
function ofWhatRuns(bill: Bill): Bill {
  const isForDevelopment = ({ properties }: Component) =>
    properties.some(({ name, value }) => name === "cdx:npm:package:development" && value === "true");
  const gone = new Set(bill.components.filter(isForDevelopment).map((component) => component["bom-ref"]));
  return {
    ...bill,
    components: bill.components.filter((component) => !gone.has(component["bom-ref"])),
    dependencies: bill.dependencies
      .filter(({ ref }) => !gone.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => !gone.has(other)) })),
  };
}

async function writeBill(sources: string, folder: string): Promise<void> {
  const options = ["--sbom-format=cyclonedx", "--sbom-type=application", "--package-lock-only", "--loglevel=error"];
  const all = JSON.parse(await runCommand("npm", ["--prefix", sources, "sbom", ...options], limitMs)) as Bill;
  const bill = ofWhatRuns(all);
  await writeFile(join(folder, "sbom.cdx.json"), `${JSON.stringify(bill, null, 2)}\n`);
  await writeFile(join(folder, "licences.txt"), `${licences(bill).join("\n")}\n`);
}

/** An in-toto statement of SLSA's provenance, version 1: what the files were made of. It is not signed. */
async function writeProvenance(sources: string, folder: string, release: Release): Promise<void> {
  const names = (await readdir(folder)).sort();
  const subject = await Promise.all(
    names.map(async (name) => ({ name, digest: { sha256: await sha256(join(folder, name)) } })),
  );
  const statement = {
    _type: "https://in-toto.io/Statement/v1",
    subject,
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: "npm run release",
        externalParameters: { version: release.version },
        resolvedDependencies: [
          { uri: `git+postern@refs/tags/${release.version}`, digest: { gitCommit: release.commit } },
          { uri: "package-lock.json", digest: { sha256: await sha256(join(sources, "package-lock.json")) } },
        ],
      },
      runDetails: {
        builder: { id: `node ${process.version}` },
        metadata: { startedOn: release.startedAt, finishedOn: new Date().toISOString() },
      },
    },
  };
  await writeFile(join(folder, "provenance.json"), `${JSON.stringify(statement, null, 2)}\n`);
  const sums = [
    ...subject.map(({ name, digest }) => ({ name, sum: digest.sha256 })),
    { name: "provenance.json", sum: await sha256(join(folder, "provenance.json")) },
  ];
  await writeFile(join(folder, "SHA256SUMS"), sums.map(({ name, sum }) => `${sum}  ${name}\n`).join(""));
}

interface Release {
  version: string;
  commit: string;
  startedAt: string;
}

/** Everything that is published of a release beside the image, made of its commit in a new folder. @returns the folder */
export async function makeArtefacts(root: string, release: Release): Promise<string> {
  const folder = join(root, "release", release.version);
  // Under the root, so that the packages that build the client are found; npm's bill has the folder's name for what it is of.
  const sources = join(root, ".cache", `release-${release.version}`, "postern");
  await rm(folder, { recursive: true, force: true });
  await rm(sources, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await mkdir(sources, { recursive: true });
  try {
    const archive = join(sources, "sources.tar");
    await runCommand("git", ["-C", root, "archive", `--output=${archive}`, release.commit], limitMs);
    await runCommand("tar", ["--extract", "--file", archive, "--directory", sources], limitMs);
    await cp(archive, join(folder, `postern-${release.version}.tar`));
    await makePackages(sources, folder);
    await writeBill(sources, folder);
    await writeProvenance(sources, folder, release);
  } finally {
    await rm(dirname(sources), { recursive: true, force: true });
  }
  return folder;
}
