/** Requirements: the rows that the revisions demand, and the reasons for rows without a test. */

export const SIDES = ["server", "client", "both"] as const;
export const LEVELS = ["MUST", "SHOULD", "MAY"] as const;
export type Side = (typeof SIDES)[number];
export type Level = (typeof LEVELS)[number];

export interface Row {
  readonly id: string;
  readonly area: string;
  readonly side: Side;
  readonly level: Level;
  /** The revisions that it applies to, oldest first. */
  readonly revisions: readonly string[];
  readonly requirement: string;
}

const HEAD = "id\tarea\tside\tlevel\trevisions\trequirement\tcheck";

/** Reads `requirements.tsv`. `revisions` are all there are, oldest first; those with a handshake are all but the last. Throws on the first wrong line. */
export function parseRows(tsv: string, revisions: readonly string[]): Row[] {
  const words: Record<string, readonly string[]> = { all: revisions, stateful: revisions.slice(0, -1) };
  const [head, ...lines] = linesOf(tsv);
  if (head !== HEAD) throw new Error(`requirements: the first line is not ${JSON.stringify(HEAD)}`);
  const seen = new Set<string>();
  return lines.map((line) => {
    const cells = line.split("\t");
    const [id = "", area = "", side, level, when = "", requirement = ""] = cells;
    const applies = words[when] ?? when.split(",");
    const wrong =
      (cells.length !== 7 && "seven cells") ||
      (seen.has(id) && "an id of its own") ||
      (!/^[A-Z]+(-[A-Z]+)*-\d\d$/.test(id) && "an id such as TOOL-01") ||
      (!isOneOf(SIDES, side) && "a side") ||
      (!isOneOf(LEVELS, level) && "a level") ||
      (!applies.every((one) => revisions.includes(one)) && "revisions") ||
      (requirement === "" && "a sentence");
    if (wrong !== false) throw new Error(`requirements: ${wrong} is missing in ${JSON.stringify(line.slice(0, 80))}`);
    seen.add(id);
    return { id, area, side: side as Side, level: level as Level, revisions: applies, requirement }; // both were looked at above
  });
}

/** Reads `reasons.tsv`: ids and a sentence. */
export function parseNotes(tsv: string): (readonly [id: string, reason: string])[] {
  return linesOf(tsv).flatMap((line) => {
    const [ids = "", reason = ""] = line.split("\t");
    return ids.split(" ").map((id) => [id, reason.trim()] as const);
  });
}

const linesOf = (text: string): string[] => text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));

const isOneOf = <T>(values: readonly T[], value: unknown): value is T => values.includes(value as T); // it asks just that
