// Releases of public packages redone: the tree of one version is made from that of another by the tools alone, and compared byte by byte.
// With OARLOCK_LONG=1 and a registry. OARLOCK_RELEASES names other pairs, such as `ms@2.0.0..2.1.3 qs@6.5.0..6.11.0`.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "@oarlock/server-kit/protocol";
import { connectTo, listTree, tempFolder } from "@oarlock/testing";
import { structuredPatch } from "diff";
import { afterAll, expect, test } from "vitest";
import { applyEdits, type Edit } from "../src/disk/edit/replacements.ts";
import { DiskError } from "../src/disk/errors.ts";
import { text } from "./support/served-folder.ts";
import { targetOf } from "./support/target.ts";

const PAIRS =
  process.env["OARLOCK_RELEASES"] ??
  "express@4.17.1..4.18.2 lodash@4.17.15..4.17.21 preact@10.5.15..10.11.3 chalk@4.1.2..5.3.0 commander@9.5.0..11.1.0 debug@2.6.9..4.3.4 qs@6.5.3..6.11.2 semver@6.3.0..7.5.4 yargs@16.2.0..17.7.2 ws@7.5.9..8.14.2 uuid@8.3.2..9.0.1 axios@0.27.2..1.6.0";
const LONG = process.env["OARLOCK_LONG"] === "1";
/** Packed versions that are there already. */
const PACKED = process.env["OARLOCK_PACKED"];

const changes = { edit_file: 0, write_file: 0, move_file: 0, delete_file: 0 };

afterAll(() => {
  if (LONG) console.info(`Changes of releases: ${JSON.stringify(changes)}`);
});

test.runIf(LONG).each(PAIRS.split(" ").map((pair) => /^(.+)@(.+)\.\.(.+)$/.exec(pair)!.slice(1) as [string, string, string]))(
  "makes the release of %s %s → %s by edits, writes, moves and deletions",
  async (name, older, newer) => {
    await using folder = tempFolder({ work: {}, state: {}, pack: {} });
    const [from, to] = [older, newer].map((version) => unpacked(`${name}@${version}`, folder.at("pack"))) as [string, string];
    cpSync(from, folder.at("work/p"), { recursive: true });
    const target = await targetOf({ directories: [folder.at("work")], stateHome: folder.at("state"), allowDelete: true });
    await using wired = await connectTo(target, { revision: "2025-11-25" });
    const call = async (tool: keyof typeof changes, args: Json) => {
      const result = await wired.client.call(tool, args);
      expect(result.isError, `${tool} ${JSON.stringify(args).slice(0, 300)}: ${text(result)}`).toBeUndefined();
      changes[tool] += 1;
    };
    for (const step of stepsBetween(from, to, folder.at("work/p"))) await call(...step);
    expect(contentsOf(folder.at("work/p"))).toEqual(contentsOf(to));
  },
  120_000,
);

/** Names, lengths and digests; a release may also have other modes. */
const contentsOf = (folder: string): Record<string, string> =>
  Object.fromEntries(Object.entries(listTree(folder)).map(([name, what]) => [name, what.replace(/^file \d+ /, "file ")]));

const WAYS: Readonly<Record<string, (lines: string) => string>> = {
  "blanks at line ends": (lines) => lines.replaceAll("\n", " \n"),
  "tabs for blanks": (lines) => lines.replaceAll("  ", "\t"),
  "curly quotes": (lines) => lines.replaceAll('"', "”").replaceAll("'", "’"),
  "escaped quotes": (lines) => lines.replaceAll('"', '\\"'),
  "line numbers": (lines) => lines.replaceAll(/^(?=.)/gm, "    12\t"),
  "another indentation": (lines) => lines.replaceAll(/^(?=.)/gm, "    "),
  "no last line break": (lines) => lines.replace(/\n$/, ""),
  "a stale first line": (lines) => lines.replace(/^[^\n]+/, "a line that was here once"),
  "another case": (lines) => lines.toUpperCase(),
};

test.runIf(LONG)(
  "applies imperfect edits of 300 hunks in the right place or refuses them",
  async () => {
    await using folder = tempFolder({});
    const figures = { right: 0, named: 0, unnamed: 0, wrong: 0 };
    for (const hunk of hunksOf(PAIRS, folder.path).slice(0, 300))
      for (const [way, write] of Object.entries(WAYS)) {
        const oldText = write(hunk.oldText);
        if (oldText === hunk.oldText || hunk.before.includes(oldText)) continue;
        const outcome = await outcomeOf(hunk, { oldText, newText: write(hunk.newText) });
        figures[outcome] += 1;
        expect(outcome, `${way}: ${oldText}`).not.toBe("wrong");
      }
    console.info(`Imperfect edits: ${JSON.stringify(figures)}`);
    expect(figures.right + figures.named).toBeGreaterThan(5 * figures.unnamed);
  },
  300_000,
);

interface MeantHunk {
  readonly before: string;
  readonly oldText: string;
  readonly newText: string;
  /** Lines of the old text, from 1. */
  readonly first: number;
  readonly last: number;
}

function hunksOf(pairs: string, folder: string): MeantHunk[] {
  return pairs.split(" ").flatMap((pair) => {
    const [, name = "", older = "", newer = ""] = /^(.+)@(.+)\.\.(.+)$/.exec(pair) ?? [];
    const [old, next] = [older, newer].map((version) => filesOf(unpacked(`${name}@${version}`, folder))) as [Files, Files];
    return [...old].flatMap(([file, content]) => {
      const after = next.get(file);
      if (after === undefined || after.equals(content) || !isText(content) || !isText(after) || content.length > 200_000) return [];
      const before = content.toString();
      if (before.includes("\r")) return [];
      const { hunks } = structuredPatch("a", "b", before, after.toString(), "", "", { context: 3 });
      return hunks.slice(0, 8).map(({ lines, oldStart, oldLines }) => ({
        before,
        oldText: sideOf(lines, "-"),
        newText: sideOf(lines, "+"),
        first: oldStart,
        last: oldStart + oldLines - 1,
      }));
    });
  });
}

/** Changed lines must lie in the hunk; a refusal must name a line of it first. */
async function outcomeOf({ before, first, last }: MeantHunk, edit: Edit): Promise<"right" | "named" | "unnamed" | "wrong"> {
  try {
    const { text: after } = await applyEdits(before, [edit], true);
    const [old, next] = [before.split("\n"), after.split("\n")];
    let head = 0;
    while (head < old.length && old[head] === next[head]) head += 1;
    let tail = 0;
    while (tail < old.length - head && old.at(-1 - tail) === next.at(-1 - tail)) tail += 1;
    return head + 1 >= first && old.length - tail <= last + 1 ? "right" : "wrong";
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    const [, line] = /\blines? (\d+)/.exec(error.message) ?? [];
    return line !== undefined && Number(line) >= first && Number(line) <= last ? "named" : "unnamed";
  }
}

type Files = Map<string, Buffer>;

type Step = [tool: keyof typeof changes, args: Json];

function unpacked(version: string, folder: string): string {
  const into = join(folder, version.replaceAll(/[^\w.]/g, "-"));
  mkdirSync(into, { recursive: true });
  const file = `${version.replace("@", "-")}.tgz`;
  const packed = PACKED !== undefined && existsSync(join(PACKED, file)) ? join(PACKED, file) : join(into, file);
  if (packed.startsWith(into)) execFileSync("npm", ["pack", "--silent", version], { cwd: into });
  execFileSync("tar", ["-xzf", packed, "-C", into, "--no-same-permissions"]);
  return join(into, "package");
}

function filesOf(folder: string): Files {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return new Map(names.filter((name) => statSync(join(folder, name)).isFile()).map((name) => [name, readFileSync(join(folder, name))]));
}

/** Moves first, then deletions with the directories that become empty, edits, and new files. */
function* stepsBetween(from: string, to: string, work: string): Generator<Step> {
  const [old, next] = [filesOf(from), filesOf(to)];
  const at = (name: string) => join(work, name);
  const gone = new Set([...old.keys()].filter((name) => !next.has(name)));
  const added = new Set([...next.keys()].filter((name) => !old.has(name)));
  for (const name of added) {
    const source = [...gone].find((other) => old.get(other)!.equals(next.get(name)!) && existsSync(join(work, name, "..")));
    if (source === undefined) continue;
    yield ["move_file", { source: at(source), destination: at(name) }];
    gone.delete(source);
    added.delete(name);
  }
  for (const name of gone) yield ["delete_file", { path: at(name) }];
  const directories = readdirSync(work, { recursive: true, encoding: "utf8" }).filter((name) => statSync(at(name)).isDirectory());
  for (const name of directories.sort()) {
    const isWanted = [...next.keys()].some((file) => file.startsWith(`${name}/`));
    if (!isWanted && existsSync(at(name))) yield ["delete_file", { path: at(name), recursive: true }];
  }
  for (const [name, content] of next) {
    const before = old.get(name);
    if (added.has(name)) yield ["write_file", { path: at(name), createDirectories: true, ...written(content) }];
    else if (before !== undefined && !before.equals(content)) yield changeOf(at(name), before, content);
  }
}

const isText = (bytes: Buffer): boolean => Buffer.from(bytes.toString()).equals(bytes) && !bytes.includes(0);

const hasMark = (content: string): boolean => content.startsWith("\ufeff");

const written = (content: Buffer): Json =>
  isText(content) ? { content: content.toString() } : { content: content.toString("base64"), encoding: "base64" };

function changeOf(path: string, before: Buffer, after: Buffer): Step {
  const [old, next] = [before.toString(), after.toString()];
  const lf = (content: string) => content.replaceAll("\r\n", "\n");
  if (!isText(before) || !isText(after)) return ["write_file", { path, ...written(after) }];
  // A text that overwrites a file keeps its byte order mark.
  if (hasMark(old) !== hasMark(next)) return ["write_file", { path, content: after.toString("base64"), encoding: "base64" }];
  const [endings] = [old, next].map((content) => (content.includes("\r\n") ? "crlf" : "lf"));
  const wanted = next.includes("\r\n") ? "crlf" : "lf";
  const isUniform = [old, next].every(
    (content) => lf(content).split("\n").length === content.split(content.includes("\r\n") ? "\r\n" : "\n").length,
  );
  if (!isUniform) return ["write_file", { path, ...written(after) }];
  const edits = editsBetween(lf(old), lf(next));
  const converted = endings === wanted ? {} : { lineEnding: wanted };
  if (edits.length > 1000) return ["write_file", { path, ...written(after) }];
  return ["edit_file", { path, ...(edits.length > 0 && { edits, matching: "exact" }), ...converted }];
}

/** Each hunk with as many lines around it as make its text unique when it is applied. */
function editsBetween(old: string, next: string): { oldText: string; newText: string }[] {
  for (const context of [3, 10, 40, 200]) {
    const { hunks } = structuredPatch("a", "b", old, next, "", "", { context });
    const edits = hunks.map(({ lines }) => ({ oldText: sideOf(lines, "-"), newText: sideOf(lines, "+") }));
    let current = old;
    const isUnique = edits.every(({ oldText, newText }) => {
      const at = current.indexOf(oldText);
      const isOnly = oldText !== "" && at !== -1 && current.indexOf(oldText, at + 1) === -1;
      current = isOnly ? current.slice(0, at) + newText + current.slice(at + oldText.length) : current;
      return isOnly;
    });
    if (isUnique && current === next) return edits;
  }
  return [{ oldText: old, newText: next }];
}

function sideOf(lines: readonly string[], sign: "-" | "+"): string {
  let side = "";
  for (const [at, line] of lines.entries()) {
    if (line.startsWith("\\") || (!line.startsWith(" ") && !line.startsWith(sign))) continue;
    side += line.slice(1) + (lines[at + 1]?.startsWith("\\") === true ? "" : "\n");
  }
  return side;
}
