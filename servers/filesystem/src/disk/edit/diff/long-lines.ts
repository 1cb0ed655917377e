// Long lines of a diff, cut around what changed in them: one line must not fill a reply, and its change must be seen.

/** A longer line is cut. */
const MAX_LENGTH = 1000;
/** The most that is shown of it, and of a line without a partner. */
const [MAX_SHOWN, SHOWN_ALONE] = [600, 200];
/** Characters before and after the change. */
const AROUND = 40;

/** Lines with their sign. Of a removed and an added line in the same place the part is shown in which they differ, with its column. */
export function clipLongLines(lines: readonly string[]): string[] {
  if (lines.every((line) => line.length <= MAX_LENGTH)) return [...lines];
  const partners = partnersOf(lines);
  const clipped = lines.map((line, at) => clipLine(line, changedPart(line, partners.get(at))));
  // No program can apply such a diff, so one mark of a missing newline is enough for both sides.
  return clipped.filter((line, at) => !isMark(line) || !clipped.slice(at + 1).some(isMark));
}

const isMark = (line: string): boolean => line.startsWith("\\");

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

interface Part {
  /** The first character, behind the sign, in which a line differs from its partner. */
  readonly change: number;
  readonly from: number;
  readonly to: number;
}

function changedPart(line: string, partner: string | undefined): Part {
  if (partner === undefined) return { change: 1, from: 1, to: 1 + SHOWN_ALONE };
  let change = 1;
  while (change < line.length && line[change] === partner[change]) change += 1;
  let [end, other] = [line.length, partner.length];
  while (end > change && other > change && line[end - 1] === partner[other - 1]) [end, other] = [end - 1, other - 1];
  const from = Math.max(1, change - AROUND);
  return { change, from, to: Math.min(line.length, end + AROUND, from + MAX_SHOWN) };
}

function clipLine(line: string, { change, from, to }: Part): string {
  if (line.length <= MAX_LENGTH) return line;
  const part = line
    .slice(from, to)
    .replace(/^[\udc00-\udfff]/, "")
    .replace(/[\ud800-\udbff]$/, "");
  return `${line.slice(0, 1)}${from > 1 ? "…" : ""}${part}${to < line.length ? "…" : ""} [column ${change} of ${line.length - 1}]`;
}
