// The stage of the git server: a repository with a little history, a client, and another program that commits to it.
import { execFileSync } from "node:child_process";
import type { Transport } from "../../server-process.ts";
import { commandOf, openStage, type Stage } from "../../stage.ts";
import { tempFolder, type TempFolder } from "@oarlock/testing";

export interface Scene extends Stage {
  readonly folder: TempFolder;
  /** Runs git as another program would, and returns its output. */
  git(...args: string[]): string;
}

export async function openScene(revision: string, transport: Transport): Promise<Scene> {
  const folder = tempFolder();
  const git = (...args: string[]): string => execFileSync("git", args, { cwd: folder.path, encoding: "utf8", stdio: "pipe" }).trim();
  logbook(folder, git);
  const stage = await openStage(commandOf("git")("--repository", folder.path), { revision, transport });
  return {
    ...stage,
    folder,
    git,
    async [Symbol.asyncDispose]() {
      await stage[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** A voyage in twelve commits. */
function logbook(folder: TempFolder, git: Scene["git"]): void {
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "The Mate");
  git("config", "user.email", "mate@boat.example");
  for (let day = 1; day <= 12; day++) {
    folder.write({ "log.txt": `${day === 1 ? "" : folder.read("log.txt")}Day ${day}: ${day % 3 === 0 ? "rain" : "fair wind"}\n` });
    git("add", "log.txt");
    git("commit", "--quiet", "--message", `Day ${day}`);
  }
}
