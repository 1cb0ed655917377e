// Builds odd repositories with few git processes: commits by fast-import, and objects that git itself would not write.
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import type { TempFolder } from "@oarlock/testing";
import { makeRepository, TestRepository } from "../support/repository.ts";

export type Content = string | Buffer;
/** A file by its content, or by mode and content; undefined deletes it. Of a gitlink (160000) the content is an id. */
export type FileChange = Content | readonly [mode: string, content: Content] | undefined;

export interface ImportedCommit {
  readonly branch?: string;
  readonly message?: Content;
  readonly author?: string;
  /** Seconds since 1970 and zone. */
  readonly date?: string;
  /** Names are Latin-1: a letter for each byte. */
  readonly files?: Readonly<Record<string, FileChange>>;
  readonly from?: string;
  readonly merge?: readonly string[];
}

const START = 1_700_000_000;

/** A path for fast-import: any byte, in C's notation. `name` has a letter for each byte. */
const quoted = (name: string): string =>
  `"${[...Buffer.from(name, "latin1")].map((byte) => (byte > 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, "0")}`)).join("")}"`;

const data = (content: Content): Buffer => {
  const bytes = Buffer.from(content as string);
  return Buffer.concat([Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from("\n")]);
};

function fileLine(name: string, change: FileChange): Buffer {
  if (change === undefined) return Buffer.from(`D ${quoted(name)}\n`);
  const [mode, content] = typeof change === "string" || Buffer.isBuffer(change) ? ["100644", change] : change;
  if (mode === "160000") return Buffer.from(`M 160000 ${content.toString()} ${quoted(name)}\n`);
  return Buffer.concat([Buffer.from(`M ${mode} inline ${quoted(name)}\n`), data(content)]);
}

/** The stream of fast-import; the n-th commit has the mark `:n`. */
export function stream(commits: readonly ImportedCommit[]): Buffer {
  const parts = commits.map(({ branch = "main", message = `commit ${branch}\n`, author, date, files = {}, from, merge = [] }, index) => {
    const at = date ?? `${START + index * 60} +0000`;
    const header = [
      `commit refs/heads/${branch}`,
      `mark :${index + 1}`,
      ...(author === undefined ? [] : [`author ${author} ${at}`]),
      `committer Ada Lovelace <ada@example.org> ${at}`,
    ];
    return Buffer.concat([
      Buffer.from(`${header.join("\n")}\n`),
      data(message),
      Buffer.from([...(from === undefined ? [] : [`from ${from}\n`]), ...merge.map((one) => `merge ${one}\n`)].join("")),
      ...Object.entries(files).map(([name, change]) => fileLine(name, change)),
      Buffer.from("\n"),
    ]);
  });
  return Buffer.concat(parts);
}

export interface ImportOptions {
  readonly bare?: boolean;
  /** Leaves index and work tree empty. */
  readonly isUnchecked?: boolean;
  readonly init?: readonly string[];
  readonly settings?: Readonly<Record<string, string>>;
}

/** A repository with these commits, checked out at `main`. */
export function imported(path: string, commits: readonly ImportedCommit[], options: ImportOptions = {}): TestRepository {
  const { bare = false, isUnchecked = false, init = [], settings = {} } = options;
  const repository = init.length === 0 ? makeRepository(path, undefined, { bare }) : initialized(path, init);
  for (const [key, value] of Object.entries(settings)) repository.git("config", key, value);
  repository.raw(["fast-import", "--quiet", "--date-format=raw"], { input: stream(commits) });
  if (!bare && !isUnchecked) repository.git("reset", "--hard", "--quiet");
  return repository;
}

function initialized(path: string, options: readonly string[]): TestRepository {
  mkdirSync(path, { recursive: true });
  const repository = new TestRepository(path);
  repository.git("init", "--quiet", "--initial-branch=main", "--template=", ...options);
  return repository;
}

/** Four commits in three files. */
export const LINEAR: readonly ImportedCommit[] = [
  { message: "first\n", files: { "a.txt": "one\ntwo\nthree\n", "dir/b.txt": "bee\n" } },
  { message: "second\n\nWith a body.\n", author: "Bo Lind <bo@example.org>", files: { "a.txt": "one\nTWO\nthree\nfour\n" } },
  { message: "third\n", files: { "dir/c.txt": "see\n" } },
  { message: "fourth\n", files: { "a.txt": "one\nTWO\n3\nfour\n" } },
];

/** The four commits, and one more with these files. */
export const withFiles =
  (files: Readonly<Record<string, FileChange>>, settings: Readonly<Record<string, string>> = {}) =>
  (folder: TempFolder): TestRepository =>
    imported(folder.at("r"), [...LINEAR, { files }], { settings });

/** Writes a loose object whatever it holds; gives its id. */
export function writeObject(repository: TestRepository, type: string, content: Content): string {
  const bytes = Buffer.from(content as string);
  const whole = Buffer.concat([Buffer.from(`${type} ${bytes.length}\0`), bytes]);
  const id = createHash("sha1").update(whole).digest("hex");
  const folder = join(repository.path, ".git/objects", id.slice(0, 2));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, id.slice(2)), deflateSync(whole));
  return id;
}

/** Writes a file below the git directory. */
export function writeGitFile(repository: TestRepository, name: string, content: Content): void {
  const path = join(repository.path, ".git", name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, content);
}

/** A commit of HEAD's tree with these header lines in place of author and committer, as the new tip of main. */
export function commitRaw(repository: TestRepository, lines: (tree: string, parent: string) => Content): TestRepository {
  const [tree = "", parent = ""] = repository.git("rev-parse", "HEAD^{tree}", "HEAD").split("\n");
  writeGitFile(repository, "refs/heads/main", `${writeObject(repository, "commit", lines(tree, parent))}\n`);
  return repository;
}
