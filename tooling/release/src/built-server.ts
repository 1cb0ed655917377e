/** Built server: the command of a server from dist/, started with data to serve. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { connect, type Client } from "@oarlock/client";
import type { TempFolder } from "@oarlock/testing";
import type { About } from "./about.ts";
import { folderOf } from "./repository.ts";
import { TRIALS } from "./trial.ts";

export function startBuilt(about: About, folder: TempFolder, words: readonly string[], revision: string): Promise<Client> {
  const bin = join(folderOf(about), "dist/bin.js");
  if (!existsSync(bin)) throw new Error(`Missing ${bin}: run pnpm build first`);
  return connect({ command: process.execPath, args: [bin, ...(TRIALS[about.name]?.args(folder) ?? []), ...words] }, { revision });
}
