// Compares a text with two others: whether it holds a part of the changes between them, and nothing else.

/** Lines that differ in two texts, and the line behind them that both have. */
interface Region {
  /** The numbers of each line among the removed and the added ones. */
  readonly removed: ReadonlyMap<string, readonly number[]>;
  readonly added: ReadonlyMap<string, readonly number[]>;
  /** Undefined at the end of the texts. */
  readonly kept: string | undefined;
}

/** How far the lines before were found: in which region, and how many of its removed and added lines are behind. */
interface Position {
  readonly region: number;
  readonly removed: number;
  readonly added: number;
}

/** Ambiguous lines, such as empty ones, may be found in several ways; this many are followed. */
const MAX_POSITIONS = 1000;

/** The lines of a text, each with its line break. */
export const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** `patch`: the comparison of two texts as git prints it with all lines around the changes; empty where they are equal. */
export function parseRegions(patch: string): Region[] {
  const regions: Region[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  const endRegion = (kept: string | undefined): void => {
    regions.push({ removed: numbersOf(removed), added: numbersOf(added), kept });
    [removed, added] = [[], []];
  };
  const start = patch.search(/^@@ /m);
  const lines = start === -1 ? [] : linesOf(patch.slice(start)).slice(1);
  lines.forEach((printed, at) => {
    if (printed.startsWith("\\")) return;
    // A line without a break is followed by a notice, and some settings print an empty line without its mark.
    const isWithoutBreak = lines[at + 1]?.startsWith("\\") === true;
    const text = (printed === "\n" ? printed : printed.slice(1)).slice(0, isWithoutBreak ? -1 : undefined);
    if (printed.startsWith("-")) removed.push(text);
    else if (printed.startsWith("+")) added.push(text);
    else endRegion(text);
  });
  endRegion(undefined);
  return regions;
}

function numbersOf(lines: readonly string[]): Map<string, number[]> {
  const numbers = new Map<string, number[]>();
  for (const [at, line] of lines.entries()) {
    const known = numbers.get(line);
    if (known === undefined) numbers.set(line, [at]);
    else known.push(at);
  }
  return numbers;
}

/** Whether lines are what is left and new of a comparison, each region of it taken in whole, in part or not at all. */
export function liesBetween(lines: readonly string[], regions: readonly Region[]): boolean {
  let positions: readonly Position[] = [{ region: 0, removed: 0, added: 0 }];
  for (const line of lines) {
    const next = new Map<string, Position>();
    for (const position of positions)
      for (const found of positionsBehind(line, position, regions[position.region]))
        next.set(`${found.region} ${found.removed} ${found.added}`, found);
    if (next.size === 0 || next.size > MAX_POSITIONS) return false;
    positions = [...next.values()];
  }
  return positions.some(({ region }) => region === regions.length - 1);
}

function positionsBehind(line: string, { region, removed, added }: Position, at: Region | undefined): Position[] {
  const oldLine = at?.removed.get(line)?.find((number) => number >= removed);
  const newLine = at?.added.get(line)?.find((number) => number >= added);
  return [
    ...(oldLine === undefined ? [] : [{ region, removed: oldLine + 1, added }]),
    ...(newLine === undefined ? [] : [{ region, removed, added: newLine + 1 }]),
    ...(at?.kept === line ? [{ region: region + 1, removed: 0, added: 0 }] : []),
  ];
}
