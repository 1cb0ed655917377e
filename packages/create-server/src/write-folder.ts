// Writes the new folder; all of it, or nothing.
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Files } from "./carried.ts";
import { Refusal } from "./refusal.ts";

/** Throws unless the folder is missing or empty; a repository that was begun in it is no obstacle. */
export function checkFolder(folder: string): void {
  if (entriesOf(folder).length > 0) throw new Refusal(3, `${folder} is not empty: choose another name, or empty it first`);
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name !== ".git");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    if (codeOf(error) === "ENOTDIR") throw new Refusal(3, `${folder} is a file, or below one: choose another name`);
    throw new Refusal(3, `${folder} cannot be read (${codeOf(error)}): choose another place`);
  }
}

export function writeFolder(folder: string, files: Files): void {
  const made: string[] = [];
  try {
    for (const [path, content] of files) {
      const file = join(folder, path);
      makeFolder(dirname(file), made);
      writeFileSync(file, content, { flag: "wx" });
      made.push(file);
    }
  } catch (error) {
    for (const path of made.reverse()) rmSync(path, { recursive: true, force: true });
    throw new Refusal(3, `${folder} cannot be written (${codeOf(error)}): choose another place`);
  }
}

/** Makes a folder with those above it, and notes which. Node's own recursion does not end where a file system refuses new names. */
function makeFolder(folder: string, made: string[]): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder), made);
  mkdirSync(folder);
  made.push(folder);
}

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : String(error));
