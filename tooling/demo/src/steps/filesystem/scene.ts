// The stage of the filesystem server: a boat builder's folder, a client beside it, and a person to ask.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "@oarlock-tooling/test-support/built-file";
import type { LogEntry } from "@oarlock/client";
import type { Transport } from "../../server-process.ts";
import { commandOf, openStage, type Stage, type User } from "../../stage.ts";
import { tempFolder, type TempFolder } from "@oarlock/testing";

/** A large tree that is at hand wherever this runs: what the project itself has installed. */
export const LIBRARY: string = join(root, "node_modules");

export interface Scene extends Stage, User {
  readonly folder: TempFolder;
  /** What the server logged to the client. */
  readonly log: readonly LogEntry[];
  /** How often the server said that its list of resources is another one. */
  listChanges(): number;
}

/** How the built server is started, for the user's entry too. */
export const command = commandOf("filesystem");

export const uriOf = (path: string): string => pathToFileURL(path).href;

export async function openScene(revision: string, transport: Transport): Promise<Scene> {
  const folder = boatyard();
  const log: LogEntry[] = [];
  const user: User = { asked: [], answers: [] };
  let changes = 0;
  const stage = await openStage(command("--no-trash", folder.path, `${LIBRARY}:ro`), {
    ...{ revision, transport, user },
    roots: [folder.path, LIBRARY].map((path) => ({ uri: uriOf(path) })),
    onLog: (entry) => log.push(entry),
    onListChanged: (list) => {
      if (list === "resources") changes++;
    },
  });
  return {
    ...stage,
    ...user,
    folder,
    log,
    listChanges: () => changes,
    async [Symbol.asyncDispose]() {
      await stage[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

function boatyard(): TempFolder {
  const folder = tempFolder();
  folder.write({ "plan.md": "# The boat\n\n1. Buy timber\n2. Buy red paint\n3. Launch in May\n" });
  folder.write({ "letters/harbour-master.txt": "Please keep the slipway free.\n" });
  for (let at = 1; at <= 12; at++) folder.write({ [`timber/plank-${String(at).padStart(2, "0")}.txt`]: "oak\n" });
  // Box in box in box, deeper than the server walks: something that it has to speak up about.
  mkdirSync(folder.at("boxes", ...Array.from({ length: 300 }, () => "b")), { recursive: true });
  return folder;
}
