// Hunks without lines around their changes, as git_diff_unstaged shows them with context_lines 0: git finds their place by its number only.

const FILE = /^(?=--- [^\n]*\n\+\+\+ [^\n]*\n@@ )/m;
const HUNK = /^(?=@@ -\d)/m;
const HEADER = /^@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@/;

/** The same patch, with the places of such hunks where they are when no other hunks of the file are applied than those of the patch. */
export const placeBareHunks = (patch: string): string => patch.split(FILE).map(placeInFile).join("");

function placeInFile(patch: string): string {
  /** By how many lines the hunks before have moved what follows. */
  let shift = 0;
  return patch
    .split(HUNK)
    .map((hunk) => {
      const [, start] = HEADER.exec(hunk) ?? [];
      if (start === undefined) return hunk;
      const lines = hunk.replace(/\n$/, "").split("\n").slice(1);
      const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
      const [removed, added] = [count("-"), count("+")];
      // Where nothing is removed, the number is that of the line before.
      const line = Number(start) + (removed === 0 ? 1 : 0) + shift;
      shift += added - removed;
      const isBare = !lines.some((text) => text === "" || text.startsWith(" "));
      return isBare ? hunk.replace(HEADER, `@@ -${start} +${line} @@`) : hunk;
    })
    .join("");
}
