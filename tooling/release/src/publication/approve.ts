/**
 * Publishes what the workflow has staged: `pnpm release:approve FOLDER DIGEST`, with the tested tarballs in FOLDER. Downloads each staged tarball,
 * and approves nothing unless all are the tested ones. It can be repeated.
 */
import { globSync, mkdtempDisposableSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Npm } from "./npm-command.ts";
import { integrityOf, readPackageList, type PackedPackage } from "./package-list.ts";
import { publishedState } from "./published-version.ts";

interface StagedVersion {
  readonly id: string;
  readonly packageName: string;
  readonly version: string;
}

/** The stage ids to approve, by package, in the order of the list. Throws where anything is missing, or another than the tested tarball. */
export async function approvable(folder: string, digest: string, npm: Npm): Promise<ReadonlyMap<string, string>> {
  const registry = await npm.registry();
  const staged = JSON.parse(await npm.output(["stage", "list", "--json"])) as StagedVersion[]; // as npm documents it
  const ids = new Map<string, string>();
  const problems: string[] = [];
  for (const one of readPackageList(folder, digest)) {
    const state = await publishedState(registry, one);
    const named = `${one.name}@${one.version}`;
    const found = staged.find(({ packageName, version }) => packageName === one.name && version === one.version);
    if (state === "different")
      problems.push(`${named} is published with another content than the tested tarball. Deprecate it, and find out who did.`);
    else if (state !== "missing") continue;
    else if (found === undefined) problems.push(`${named} is not staged. Run the job "stage" of the release again.`);
    else if (await isTested(one, found.id, npm)) ids.set(named, found.id);
    else
      problems.push(
        `${named} is staged with another content than the tested tarball. Find out who staged it: npm stage view ${found.id}. Then npm stage reject ${found.id}.`,
      );
  }
  if (problems.length > 0) throw new Error(`Nothing is approved.\n${problems.join("\n")}`);
  return ids;
}

async function isTested({ integrity }: PackedPackage, id: string, npm: Npm): Promise<boolean> {
  using work = mkdtempDisposableSync(join(tmpdir(), "oarlock-staged-"));
  await npm.output(["stage", "download", id], work.path);
  const [file = ""] = globSync("*.tgz", { cwd: work.path });
  return integrityOf(readFileSync(join(work.path, file))) === integrity;
}

if (import.meta.main) {
  const [folder = "", digest = ""] = process.argv.slice(2);
  const npm = new Npm();
  await npm.checkVersion();
  const ids = await approvable(resolve(process.env.INIT_CWD ?? "", folder), digest, npm);
  for (const [name, id] of ids) {
    console.log(`${name}: npm stage approve ${id}`);
    await npm.interact(["stage", "approve", id]);
  }
  console.log(`${ids.size} packages approved. Next: approve the environment "published" of the run.`);
}
