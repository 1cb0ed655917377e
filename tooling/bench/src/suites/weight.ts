/** What an installation puts on the disk: packages, bytes and files, of ours packed as for publishing and of others as npm has them. */
import { mkdtempSync, rmSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { install, packAll } from "../../../release/src/pack.ts";
import type { Figures } from "../figures.ts";
import { folderOf } from "../peers/groups.ts";
import { weigh } from "../weigh.ts";
import { inScratch, type Suite } from "./suite.ts";

/** The tarballs of all published packages of this repository by name, packed once a run. */
let tarballs: Promise<ReadonlyMap<string, string>> | undefined;

function packOnce(): Promise<ReadonlyMap<string, string>> {
  const into = mkdtempSync(join(tmpdir(), "oarlock-bench-"));
  process.on("exit", () => rmSync(into, { recursive: true, force: true }));
  return packAll(into);
}

async function installed(name: string, into: string): Promise<Figures> {
  mkdirSync(into, { recursive: true });
  await install(name, await (tarballs ??= packOnce()), into);
  return weigh(into, name);
}

export const weight: Suite = {
  about: "packages, MB and files of an installation",
  kinds: ["package"],
  rounds: 1,
  quickRounds: 1,
  async measure({ name, package: wanted, installed: at }) {
    if (wanted?.packed === true) return inScratch((folder) => installed(wanted.name, folder));
    if (wanted === undefined || at === undefined) throw new Error(`Unknown package: ${name}`);
    return weigh(folderOf(at.group), wanted.name);
  },
};
