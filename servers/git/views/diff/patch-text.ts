// The files of a diff from its text, for hosts that drop structuredContent and call no tools.

interface FileInText {
  readonly path: string;
  readonly patch: string;
  readonly additions: number;
  readonly deletions: number;
}

/** Lines of files begin with a sign, so lines with this beginning are git's own. */
const FILE_START = /^(?=diff --(?:git|cc) )/m;
/** Notices of the server after the patches. */
const NOTICES = /^\[(?:left out|truncated|more|submodule|unfiltered)[^]*$/m;

export function filesInText(text: string): FileInText[] {
  return text
    .split(FILE_START)
    .filter((part) => part.startsWith("diff --"))
    .map((part) => {
      const patch = part.replace(NOTICES, "");
      const lines = patch.slice(Math.max(0, patch.search(/^@@ /m))).split("\n");
      const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
      return { path: pathOf(patch), patch, additions: count("+"), deletions: count("-") };
    });
}

function pathOf(patch: string): string {
  const [, added] = /^\+\+\+ b\/(.*)$/m.exec(patch) ?? [];
  const [, removed] = /^--- a\/(.*)$/m.exec(patch) ?? [];
  const [, named] = /^diff --(?:git|cc) (.*)$/m.exec(patch) ?? [];
  // git ends names with spaces by a tab.
  return (added ?? removed ?? named ?? "").replace(/\t$/, "");
}
