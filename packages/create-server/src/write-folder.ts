// Writes the new folder: all files, or none.
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Files } from "./bundled-files.ts";
import { CommandError } from "./command-error.ts";

/** Throws unless the folder is missing or empty. A `.git` folder in it is allowed. */
export function checkFolder(folder: string): void {
  if (entriesOf(folder).length > 0) throw new CommandError(3, `Folder ${folder} is not empty: choose another name, or empty it first.`);
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name !== ".git");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    if (codeOf(error) === "ENOTDIR") throw new CommandError(3, `Path ${folder} is a file, or below one: choose another name.`);
    throw new CommandError(3, `Folder ${folder} cannot be read (${codeOf(error)}): choose another one.`);
  }
}

export function writeFolder(folder: string, files: Files): void {
  const created: string[] = [];
  try {
    for (const [path, content] of files) {
      const file = join(folder, path);
      createFolder(dirname(file), created);
      writeFileSync(file, content, { flag: "wx" });
      created.push(file);
    }
  } catch (error) {
    for (const path of created.reverse()) rmSync(path, { recursive: true, force: true });
    throw new CommandError(3, `Folder ${folder} cannot be written (${codeOf(error)}): choose another one.`);
  }
}

/** Creates a folder with its parents, and adds them to `created`. Node's recursive mkdir does not end on a file system that rejects new names. */
function createFolder(folder: string, created: string[]): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) createFolder(dirname(folder), created);
  mkdirSync(folder);
  created.push(folder);
}

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : String(error));
