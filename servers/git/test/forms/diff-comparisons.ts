// How diffs of a tool are compared with those of git.
import type { Json } from "@oarlock/server-kit/protocol";
import { splitRecords } from "../../src/repo/process/nul-records.ts";
import { decodeText, nameToText } from "../../src/repo/text/file-names.ts";
import { list, names, withoutUnmerged, type Comparison, type Facts } from "./comparison.ts";

export const NUMSTAT = ["--numstat", "-z", "--no-renames", "--ignore-submodules=dirty"];
/** `path +1 -2` */
export const numbersOfGit = (output: Buffer): string[] =>
  splitRecords(output)
    .filter((record) => record.includes(9))
    .map((record) => {
      const [added = "", deleted = ""] = record.toString("latin1").split("\t");
      const name = nameToText(record.subarray(added.length + deleted.length + 2));
      return `${name} +${Number(added.trim()) || 0} -${Number(deleted) || 0}`;
    });
/** Renames as a deletion and an addition have other numbers: only the sums of the names are compared there. */
export const numbersOfTool = (data: Json): string[] =>
  list(data["files"]).map(({ path, additions, deletions }) => `${String(path)} +${String(additions)} -${String(deletions)}`);

/** The patches, without notices. */
const patchOf = (text: string): string =>
  text
    .slice(text.indexOf("\n") + 1)
    .replace(/\n?^\[(?:submodule|compared|left out|truncated|git says)[^]*$/m, "")
    .trimEnd();

export const diffs = (
  title: string,
  tool: string,
  args: Json,
  git: readonly string[],
  needs: (facts: Facts) => boolean = () => true,
): Comparison[] => [
  {
    title: `${title}, files`,
    tool,
    args: (facts) => (needs(facts) ? { ...args, format: "names" } : undefined),
    git: () => [...git, "--name-status", "-z", "--ignore-submodules=dirty"],
    ofGit(output) {
      const fields = names(output);
      const found: string[] = [];
      while (fields.length > 0) {
        const letter = fields.shift()?.trim() ?? "";
        const first = fields.shift() ?? "";
        found.push(/^[RC]/.test(letter) ? `${letter[0]} ${first} -> ${fields.shift() ?? ""}` : `${letter} ${first}`);
      }
      // A file in conflict stands twice: once as such.
      const conflicts = new Set(found.flatMap((line) => (line.startsWith("U ") ? [line.slice(2)] : [])));
      return found.filter((line) => line.startsWith("U ") || !conflicts.has(line.slice(2))).sort();
    },
    ofTool: (data) =>
      list(data["files"])
        .map(({ path, oldPath, status }) => {
          const letter = { typechange: "T", unmerged: "U" }[String(status)] ?? String(status)[0]?.toUpperCase();
          return `${letter} ${oldPath === undefined ? "" : `${String(oldPath)} -> `}${String(path)}`;
        })
        .sort(),
  },
  {
    title: `${title}, patch`,
    tool,
    args: (facts) => (needs(facts) ? { ...args, max_bytes: 200_000 } : undefined),
    git: () => [...git, "-p", "--ignore-submodules=dirty"],
    ofGit: (output) => withoutUnmerged(decodeText(output)),
    ofTool: (data, text) =>
      withoutUnmerged(
        tool === "git_show"
          ? list(data["files"])
              .map(({ patch }) => patch ?? "")
              .join("")
          : patchOf(text),
      ),
  },
];
