/**
 * After publishing: a bundle of each published server goes to its release, and its description to the registry.
 * `PUBLISHED='[{"name":"@oarlock/git","version":"1.2.3"}]' node src/announce.ts [--dry-run]`; a dry run prints the commands.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageOf, SERVERS } from "./about.ts";
import { planOf, type Published } from "./plan.ts";
import { folderOf } from "./repository.ts";

const dry = process.argv.includes("--dry-run");
const published = JSON.parse(process.env.PUBLISHED ?? "[]") as Published[]; // made by the changesets action

for (const about of SERVERS) {
  const version = published.find(({ name }) => name === packageOf(about))?.version;
  if (version === undefined) continue;
  const work = dry ? "WORK" : mkdtempSync(join(tmpdir(), "oarlock-release-"));
  for (const [command = "", ...args] of planOf(about, version, work)) {
    console.log([command, ...args].join(" "));
    if (dry) continue;
    const { status } = spawnSync(command, args, { cwd: folderOf(about), stdio: "inherit" });
    if (status !== 0) process.exit(status ?? 1);
  }
}
