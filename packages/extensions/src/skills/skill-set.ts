// The skills of a folder with their files and directories, by address.
import { createHash } from "node:crypto";
import { readFrontmatter, type Frontmatter } from "./frontmatter.ts";
import { MAX_BYTES, MAX_FILES, readFolder, type FolderEntry } from "./skill-folder.ts";

const MANIFEST = "SKILL.md";

type FolderFile = FolderEntry & { readonly bytes: Uint8Array };

export interface SkillFile {
  readonly uri: string;
  readonly name: string;
  /** SHA-256 of the bytes. */
  readonly digest: `sha256:${string}`;
  readonly bytes: Uint8Array;
  readonly mimeType: string;
  /** Where the file is the `SKILL.md` of a skill. */
  readonly frontmatter?: Frontmatter;
}

export interface Skill {
  /** The address of its `SKILL.md`. */
  readonly uri: string;
  readonly frontmatter: Frontmatter;
  /** All files of its directory, those of nested skills included. */
  readonly files: readonly SkillFile[];
}

/** An entry of a directory: a file, or the name of a directory. */
export interface Child {
  readonly uri: string;
  readonly name: string;
  readonly file?: SkillFile;
}

export interface SkillSet {
  readonly skills: ReadonlyMap<string, Skill>;
  readonly files: ReadonlyMap<string, SkillFile>;
  /** The entries of each directory of a skill, in the order of their names. */
  readonly directories: ReadonlyMap<string, readonly Child[]>;
  /** Why other skills of the folder are left out. */
  readonly skipped: readonly string[];
}

/**
 * Reads all skills of a folder: each directory with a `SKILL.md`. The files stay in memory, so that what is served is what was hashed.
 * A skill that cannot be served is left out, and its reason names the file to correct.
 * @param base The address of the folder, such as `skill://oarlock-git`.
 */
export async function readSkills(folder: string, base: string): Promise<SkillSet> {
  const entries = await readFolder(folder);
  const all = entries.filter((entry): entry is FolderFile => entry.bytes !== undefined);
  const files = new Map<string, SkillFile>();
  const skills = new Map<string, Skill>();
  const manifests: FolderFile[] = [];
  const skipped: string[] = [];
  for (const manifest of all.filter(({ path }) => path.length > 1 && path.at(-1) === MANIFEST)) {
    const directory = manifest.path.slice(0, -1);
    const own = all.filter(({ path }) => isBelow(directory, path));
    let frontmatter: Frontmatter;
    try {
      frontmatter = await frontmatterOf(manifest);
      checkLimits(directory, own);
    } catch (error) {
      skipped.push(error instanceof Error ? error.message : String(error));
      continue;
    }
    manifests.push(manifest);
    for (const file of own) {
      const uri = uriOf(base, file.path);
      const known = files.get(uri);
      if (known === undefined || file === manifest) files.set(uri, toSkillFile(uri, file, file === manifest ? frontmatter : undefined));
    }
    const uri = uriOf(base, manifest.path);
    skills.set(uri, { uri, frontmatter, files: own.map(({ path }) => files.get(uriOf(base, path))).filter((file) => file !== undefined) });
  }
  const inSkill = entries.filter(({ path }) => manifests.some((manifest) => isBelow(manifest.path.slice(0, -1), path)));
  return { skills, files, directories: directoriesOf(base, inSkill, files), skipped };
}

async function frontmatterOf({ path, bytes }: FolderFile): Promise<Frontmatter> {
  try {
    const frontmatter = await readFrontmatter(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (frontmatter.name === path.at(-2)) return frontmatter;
    throw new Error(`its name is ${JSON.stringify(frontmatter.name)}, but its directory ${JSON.stringify(path.at(-2))}: make them equal.`);
  } catch (error) {
    throw new Error(`The skill ${path.join("/")} cannot be served: ${error instanceof Error ? error.message : "it cannot be read."}`, {
      cause: error,
    });
  }
}

function checkLimits(directory: readonly string[], files: readonly FolderFile[]): void {
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
  if (files.length > MAX_FILES || bytes > MAX_BYTES)
    throw new Error(`The skill ${directory.join("/")} is too large: at most ${MAX_FILES} files and ${MAX_BYTES} bytes.`);
}

const uriOf = (base: string, path: readonly string[]): string => [base, ...path.map(encodeURIComponent)].join("/");

function toSkillFile(uri: string, { path, bytes }: FolderFile, frontmatter: Frontmatter | undefined): SkillFile {
  const name = path.at(-1) ?? "";
  const digest = `sha256:${createHash("sha256").update(bytes).digest("hex")}` as const;
  return { uri, name, digest, bytes, mimeType: mimeTypeOf(name), ...(frontmatter !== undefined && { frontmatter }) };
}

const MIME_TYPES: Readonly<Record<string, string>> = {
  md: "text/markdown",
  txt: "text/plain",
  json: "application/json",
  yaml: "application/yaml",
  yml: "application/yaml",
  csv: "text/csv",
  html: "text/html",
  js: "text/javascript",
  ts: "text/plain",
  py: "text/x-python",
  sh: "text/x-shellscript",
  svg: "image/svg+xml",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  pdf: "application/pdf",
};

const mimeTypeOf = (name: string): string => MIME_TYPES[/\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ""] ?? "application/octet-stream";

/** Whether a path is that of the directory, or below it. */
const isBelow = (directory: readonly string[], path: readonly string[]): boolean => directory.every((name, index) => path[index] === name);

/** The directories among the entries of skills. */
function directoriesOf(base: string, entries: readonly FolderEntry[], files: ReadonlyMap<string, SkillFile>): Map<string, Child[]> {
  const toChild = ({ path }: FolderEntry): Child => {
    const uri = uriOf(base, path);
    const file = files.get(uri);
    return { uri, name: path.at(-1) ?? "", ...(file !== undefined && { file }) };
  };
  const directories = entries.filter(({ bytes }) => bytes === undefined);
  return new Map(
    directories.map(({ path: directory }) => {
      const children = entries.filter(({ path }) => path.length === directory.length + 1 && isBelow(directory, path));
      return [uriOf(base, directory), children.map(toChild)];
    }),
  );
}
