/**
 * Stages the tested tarballs on npm, where they wait for a maintainer: `node stage.ts FOLDER DIGEST`. The publishing job runs this without an
 * installation. It can be repeated: what is staged or published stays.
 */
import { resolve } from "node:path";
import { Npm } from "./npm-command.ts";
import { readPackageList, type PackedPackage } from "./package-list.ts";
import { publishedState } from "./published-version.ts";

type StageOutcome = "staged" | "staged before" | "published before" | `FAILED: ${string}`;

/** What npm says of a version that waits for approval, or was published a moment ago. */
const TAKEN = /cannot (?:stage|publish over) (?:the )?previously (?:staged|published) version/i;

/** Stages each package of a folder; those behind a failed one too. */
export async function stageAll(folder: string, digest: string, npm: Npm): Promise<ReadonlyMap<string, StageOutcome>> {
  const packages = readPackageList(folder, digest);
  const registry = await npm.registry();
  const outcomes = new Map<string, StageOutcome>();
  for (const one of packages) outcomes.set(`${one.name}@${one.version}`, await stage(one, { folder, npm, registry }));
  return outcomes;
}

async function stage(one: PackedPackage, at: { folder: string; npm: Npm; registry: string }): Promise<StageOutcome> {
  const state = await publishedState(at.registry, one);
  if (state === "different") return "FAILED: it is published with another content than the tested tarball. Find out who published it.";
  if (state !== "missing") return "published before";
  const tag = one.version.includes("-") ? "next" : "latest";
  const { code, stderr } = await at.npm.run(["stage", "publish", resolve(at.folder, one.file), "--access=public", `--tag=${tag}`]);
  if (code === 0) return "staged";
  return TAKEN.test(stderr) ? "staged before" : `FAILED: ${stderr.trim()}`;
}

if (import.meta.main) {
  const [folder = "", digest = ""] = process.argv.slice(2);
  const npm = new Npm();
  await npm.checkVersion();
  const outcomes = [...(await stageAll(folder, digest, npm))];
  for (const [name, outcome] of outcomes) console.log(`${name}: ${outcome}`);
  const hasFailed = outcomes.some(([, outcome]) => outcome.startsWith("FAILED"));
  console.log(hasFailed ? "Run the failed job again." : "Next: pnpm release:approve, as docs/releasing.md says.");
  process.exitCode = hasFailed ? 1 : 0;
}
