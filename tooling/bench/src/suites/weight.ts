/** What an installation puts on the disk: packages, bytes and files, of ours packed as for publishing and of others as npm has them. */
import { mkdtempSync, rmSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { install, pack } from "../../../release/src/pack.ts";
import type { Figures } from "../figures.ts";
import { folderOf } from "../peers/groups.ts";
import { weigh } from "../weigh.ts";
import { inScratch, type Suite } from "./suite.ts";

/** The tarballs of this repository's packages, each packed once a run. */
const tarballs = new Map<string, Promise<string>>();

function packed(folder: string): Promise<string> {
  const known = tarballs.get(folder);
  if (known !== undefined) return known;
  const into = mkdtempSync(join(tmpdir(), "oarlock-bench-"));
  process.on("exit", () => rmSync(into, { recursive: true, force: true }));
  const made = pack(folder, into);
  tarballs.set(folder, made);
  return made;
}

async function installed(name: string, folders: readonly string[], into: string): Promise<Figures> {
  const files = new Map<string, string>();
  for (const folder of folders) files.set(packageIn(folder), await packed(folder));
  mkdirSync(into, { recursive: true });
  await install(files, into);
  return weigh(into, name);
}

/** `servers/git` is `@oarlock/git`. */
const packageIn = (folder: string): string => `@oarlock/${folder.split("/").at(-1) ?? ""}`;

export const weight: Suite = {
  about: "packages, MB and files of an installation",
  kinds: ["package"],
  rounds: 1,
  quickRounds: 1,
  async measure({ name, package: wanted, installed: at }) {
    if (wanted?.packed !== undefined) {
      const { packed: folders } = wanted;
      return inScratch((folder) => installed(wanted.name, folders, folder));
    }
    if (wanted === undefined || at === undefined) throw new Error(`${name} is no package`);
    return weigh(folderOf(at.group), wanted.name);
  },
};
