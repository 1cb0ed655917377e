// The ignore files above a directory that is searched, up to the repository's top or the allowed directory, whichever comes first.
// ripgrep would read them by name, and beyond the allowed directory. The rules are those of gitignore, by globs that take linear time.
import { readSync } from "node:fs";
import type { Area } from "../../access/area.ts";
import { DiskError } from "../../errors.ts";
import { compileGlobs, type Glob } from "../../globs/glob.ts";
import { isInside } from "../../access/path-syntax.ts";

interface Rule {
  readonly glob: Glob;
  readonly negated: boolean;
  readonly folderOnly: boolean;
}

interface Level {
  /** From that folder to the directory that is searched, with a slash at its end. */
  readonly way: string;
  readonly rules: readonly Rule[];
}

export interface Above {
  /** Whether a file below the directory is ignored. */
  isIgnored(path: string): boolean;
  /** Plain names among the rules, which may be left out on the way. */
  readonly names: readonly string[];
}

const FILES = [".gitignore", ".ignore", ".rgignore"];
const MOST_BYTES = 256 * 1024;
const MOST_RULES = 2000;

export function ignoredAbove(area: Area, directory: string): Above {
  const levels: Level[] = [];
  const names: string[] = [];
  let negations = false;
  for (const folder of foldersAbove(area, directory)) {
    const lines = FILES.flatMap((file) => linesOf(area, `${folder === "/" ? "" : folder}/${file}`)).slice(0, MOST_RULES);
    const rules = lines.flatMap((line) => ruleOf(line) ?? []);
    const level = { way: `${directory.slice(folder === "/" ? 1 : folder.length + 1)}/`, rules };
    // Whoever names an ignored directory means it.
    if (verdict(level, level.way.slice(0, -1), true) === "ignored") continue;
    levels.push(level);
    negations ||= rules.some(({ negated }) => negated);
    names.push(...lines.filter((line) => /^[\w.*?-]+\/?$/.test(line)));
  }
  return {
    isIgnored(path) {
      for (const level of levels) {
        const found = verdict(level, level.way + path, false);
        if (found !== undefined) return found === "ignored";
      }
      return false;
    },
    names: negations ? [] : names,
  };
}

/** Nearest first. */
function foldersAbove(area: Area, directory: string): string[] {
  const found: string[] = [];
  const isAllowed = (folder: string) => area.roots.some(({ real }) => isInside(folder, real));
  for (let folder = directory; folder !== "/" && !isTop(area, folder);) {
    folder = folder.slice(0, folder.lastIndexOf("/")) || "/";
    if (!isAllowed(folder)) break;
    found.push(folder);
  }
  return found;
}

function isTop(area: Area, folder: string): boolean {
  try {
    area.look(`${folder}/.git`);
    return true;
  } catch (error) {
    if (error instanceof DiskError) return false;
    throw error;
  }
}

function linesOf(area: Area, path: string): string[] {
  try {
    using file = area.file(path);
    // A link could lead to any text inside; git does not follow one here either.
    if (file.path !== path || file.stat.size > MOST_BYTES) return [];
    const bytes = Buffer.alloc(Number(file.stat.size));
    return bytes.toString("utf8", 0, readSync(file.fd, bytes, 0, bytes.length, 0)).split(/\r?\n/);
  } catch (error) {
    if (error instanceof DiskError) return [];
    throw error;
  }
}

function ruleOf(line: string): Rule | undefined {
  const text = line.replace(/(?<!\\)\s+$/, "");
  if (text === "" || text.startsWith("#")) return undefined;
  const negated = text.startsWith("!");
  const folderOnly = text.endsWith("/");
  const body = (negated ? text.slice(1) : text).replace(/\/+$/, "");
  const anchored = body.includes("/") ? body.replace(/^\//, "") : `**/${body}`;
  try {
    // Braces and groups are plain characters here.
    return { glob: compileGlobs([anchored.replace(/[{}()+@]|(?<!\[)!/g, String.raw`\$&`)]), negated, folderOnly };
  } catch (error) {
    if (error instanceof DiskError) return undefined;
    throw error;
  }
}

/** The last rule that matches the path counts, but nothing below an ignored folder comes back. */
function verdict({ rules }: Level, path: string, isFolder: boolean): "ignored" | "wanted" | undefined {
  let found: "ignored" | "wanted" | undefined;
  for (let end = path.indexOf("/"); ; end = path.indexOf("/", end + 1)) {
    const part = end === -1 ? path : path.slice(0, end);
    const last = rules.findLast(({ glob, folderOnly }) => (!folderOnly || end !== -1 || isFolder) && glob.test(part));
    if (last) found = last.negated ? "wanted" : "ignored";
    if (end === -1 || found === "ignored") return found;
  }
}
