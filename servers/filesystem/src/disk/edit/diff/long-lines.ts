// Long lines of a diff, cut around what changed in them: one line must not fill a reply, and its change must be seen.

/** A longer line is cut. */
const MAX_LENGTH = 2000;
/** What is shown of it. */
const SHOWN = 600;
/** Characters before the change. */
const LEAD = 100;

/** Lines with their sign. Of a removed and an added line in the same place the part is shown in which they differ, with its column. */
export function clipLongLines(lines: readonly string[]): string[] {
  if (lines.every((line) => line.length <= MAX_LENGTH)) return [...lines];
  const partners = partnersOf(lines);
  return lines.map((line, at) => clipLine(line, firstDifference(line, partners.get(at))));
}

/** The first removed line of a change goes with the first added one, and so on. */
function partnersOf(lines: readonly string[]): Map<number, string> {
  const partners = new Map<number, string>();
  let [removed, added]: [number[], number[]] = [[], []];
  for (const [at, line] of lines.entries()) {
    if (line.startsWith("-")) removed.push(at);
    else if (line.startsWith("+")) {
      const partner = removed[added.push(at) - 1];
      if (partner === undefined) continue;
      partners.set(at, lines[partner] ?? "");
      partners.set(partner, line);
    } else if (line.startsWith(" ")) [removed, added] = [[], []];
  }
  return partners;
}

/** The first character, behind the sign, in which a line differs from its partner. */
function firstDifference(line: string, partner: string | undefined): number {
  if (partner === undefined) return 1;
  let at = 1;
  while (at < line.length && line[at] === partner[at]) at += 1;
  return at;
}

function clipLine(line: string, change: number): string {
  if (line.length <= MAX_LENGTH) return line;
  const from = Math.max(1, Math.min(change - LEAD, line.length - SHOWN));
  const part = line
    .slice(from, from + SHOWN)
    .replace(/^[\udc00-\udfff]/, "")
    .replace(/[\ud800-\udbff]$/, "");
  const start = from > 1 ? "…" : "";
  const end = from + SHOWN < line.length ? "…" : "";
  return `${line.slice(0, 1)}${start}${part}${end} [column ${change} of ${line.length - 1}]`;
}
