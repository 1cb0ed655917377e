// Re-indents a replacement whose author used another indentation than the file. Only when the old lines show what each
// indentation is in the file, or one shift explains every line: anything else would be a guess, and a wrong guess breaks programs.

const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? "";
const isBlank = (line: string) => line.trim() === "";

/** The indentation style of some lines: one character, and its count for a level. */
interface Style {
  readonly character: " " | "\t";
  readonly unit: number;
}

/**
 * The new lines in the indentation of the file; undefined when neither their counterparts nor one shift turn `old` into `found`.
 * @param found The lines of the file that match `old`, ignoring whitespace.
 * @param file All lines of the file, for its unit of indentation.
 */
export function reindent(
  found: readonly string[],
  old: readonly string[],
  next: readonly string[],
  file: () => readonly string[],
): string[] | undefined {
  if (old.every((line, index) => isBlank(line) || indentOf(line) === indentOf(found[index] ?? ""))) return [...next];
  return mapIndents(found, old, next) ?? shift(found, old, next, file);
}

/** Where each indentation of the old lines has one counterpart in the file, and the new lines use no other. */
function mapIndents(found: readonly string[], old: readonly string[], next: readonly string[]): string[] | undefined {
  const counterparts = new Map<string, string>();
  for (const [index, line] of old.entries()) {
    if (isBlank(line)) continue;
    const there = indentOf(found[index] ?? "");
    if ((counterparts.get(indentOf(line)) ?? there) !== there) return undefined;
    counterparts.set(indentOf(line), there);
  }
  // What is deeper in the edit must be deeper in the file.
  const pairs = [...counterparts].sort(([a], [b]) => a.length - b.length);
  if (pairs.some(([, there], index) => index > 0 && there.length <= (pairs[index - 1]?.[1].length ?? 0))) return undefined;
  const lines: string[] = [];
  for (const line of next) {
    const indent = isBlank(line) ? "" : counterparts.get(indentOf(line));
    if (indent === undefined) return undefined;
    lines.push(isBlank(line) ? "" : indent + line.slice(indentOf(line).length));
  }
  return lines;
}

function shift(
  found: readonly string[],
  old: readonly string[],
  next: readonly string[],
  file: () => readonly string[],
): string[] | undefined {
  const theirs = styleOf([...old, ...next]);
  const there = styleOf(found);
  if (theirs === "mixed" || there === "mixed") return undefined;
  const ours = there === undefined ? styleOfFile(file()) : { ...there, unit: unitOfFile(file(), there) };
  const from = theirs ?? ours;
  const to = ours ?? theirs;
  if (from === undefined || to === undefined) return undefined;
  return shiftLevels(found, old, next, from, to) ?? (from.character === to.character ? shiftColumns(found, old, next, to) : undefined);
}

function styleOf(lines: readonly string[]): Style | "mixed" | undefined {
  const indents = lines
    .filter((line) => !isBlank(line))
    .map(indentOf)
    .filter((indent) => indent !== "");
  const [first] = indents;
  if (first === undefined) return undefined;
  const character = first.startsWith("\t") ? "\t" : " ";
  if (indents.some((indent) => indent !== character.repeat(indent.length))) return "mixed";
  return { character, unit: character === "\t" ? 1 : indents.map((indent) => indent.length).reduce(divisor) };
}

// Most lines may be indented deeply, so the step from one line to the next shows the unit better than their indentation.
function unitOfFile(lines: readonly string[], { character, unit }: Style): number {
  if (character === "\t") return 1;
  const steps = new Map<number, number>();
  let before = 0;
  for (const line of lines) {
    if (isBlank(line)) continue;
    const depth = /^ */.exec(line)?.[0].length ?? 0;
    const step = depth - before;
    if (step > 1) steps.set(step, (steps.get(step) ?? 0) + 1);
    before = depth;
  }
  const [most] = [...steps].toSorted(([stepA, a], [stepB, b]) => b - a || stepA - stepB);
  return most?.[0] ?? unit;
}

/** For a place without any indentation: the character that most of the indented lines begin with. */
function styleOfFile(lines: readonly string[]): Style | undefined {
  const indented = lines.filter((line) => /^[ \t]/.test(line) && !isBlank(line));
  if (indented.length === 0) return undefined;
  const tabs = indented.filter((line) => line.startsWith("\t")).length;
  const character = tabs * 2 > indented.length ? "\t" : " ";
  return { character, unit: unitOfFile(lines, { character, unit: 1 }) };
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}

function shiftLevels(
  found: readonly string[],
  old: readonly string[],
  next: readonly string[],
  from: Style,
  to: Style,
): string[] | undefined {
  const levelIn = (style: Style) => (line: string) => indentOf(line).length / style.unit;
  const shift = oneShift(found.map(levelIn(to)), old.map(levelIn(from)), old);
  return shift === undefined || !Number.isInteger(shift) ? undefined : moved(next, levelIn(from), shift, to.character.repeat(to.unit));
}

function shiftColumns(found: readonly string[], old: readonly string[], next: readonly string[], style: Style): string[] | undefined {
  const columns = (line: string) => indentOf(line).length;
  const shift = oneShift(found.map(columns), old.map(columns), old);
  return shift === undefined ? undefined : moved(next, columns, shift, style.character);
}

/** The difference that is the same for all lines. */
function oneShift(found: readonly number[], old: readonly number[], lines: readonly string[]): number | undefined {
  const shifts = new Set(lines.flatMap((line, index) => (isBlank(line) ? [] : [(found[index] ?? 0) - (old[index] ?? 0)])));
  const [shift] = shifts;
  return shifts.size === 1 ? shift : undefined;
}

function moved(next: readonly string[], depthOf: (line: string) => number, shift: number, unit: string): string[] | undefined {
  const lines: string[] = [];
  for (const line of next) {
    const depth = depthOf(line) + shift;
    if (isBlank(line)) lines.push("");
    else if (depth < 0 || !Number.isInteger(depth)) return undefined;
    else lines.push(unit.repeat(depth) + line.slice(indentOf(line).length));
  }
  return lines;
}
