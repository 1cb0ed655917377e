// Rows in a reply: arrays for programs, and a text for models.
import { clip, counted } from "@oarlock/domain-kit";
import { encodedText, text, type Block } from "@oarlock/server-kit";
import { escapeForJson } from "../db/protocol/frames.ts";
import { quoteName } from "../db/sql/tokens.ts";
import type { ClippedValue, Column, EncodedRows, Format, RowsReply } from "../db/protocol/rows.ts";

/** The text block with the rows. In JSON few rows are objects, and many are arrays under one list of column names. */
export function rowsBlock(rows: EncodedRows, columns: string, format: Format = "json"): Block {
  if (format !== "json") return encodedText(`"${rows.text}"`);
  if (rows.objects !== undefined || rows.arrays === "") return encodedText(`"[${rows.objects ?? ""}]"`);
  const names = (JSON.parse(columns) as Column[]).map(({ name }) => name); // our own process wrote it
  return encodedText(`"{\\"columns\\":${escapeForJson(JSON.stringify(names))},\\"rows\\":[${rows.text}]}"`);
}

/** The JSON text of an object with `columns`, `rows` and further members. */
export const rowsJson = ({ arrays }: EncodedRows, columns: string, members: object): string =>
  `{"columns":${columns},"rows":[${arrays}],${JSON.stringify(members).slice(1)}`;

/** Notes on values that are truncated or may be invalid text. */
export const valueNotes = (
  { hasReplacementCharacter }: Pick<EncodedRows, "hasReplacementCharacter">,
  clipped: readonly ClippedValue[],
): ReturnType<typeof text>[] => [
  ...(clipped.length === 0 ? [] : [text(cutValues(clipped))]),
  ...(hasReplacementCharacter
    ? [text("[\uFFFD may stand for bytes that are not text in the encoding of the database; hex(column) shows them]")]
    : []),
];

/** Columns with truncated values that are named. */
const NAMED_COLUMNS = 3;

/** By column, with the longest value of each. */
function cutValues(clipped: readonly ClippedValue[]): string {
  const columns = [...Map.groupBy(clipped, ({ column }) => column)].slice(0, NAMED_COLUMNS);
  const named = columns.map(([column, values]) => `${clip(column, 80)} has ${Math.max(...values.map(({ length }) => length))}`);
  const [first] = columns.map(([column]) => clip(quoteName(column), 80));
  return `[truncated: ${counted(clipped.length, "value")}, ${named.join(", ")} characters or bytes; substr(${first}, 1, 5000) reads a part]`;
}

/** Notes on how a statement was read where it says something else. */
export const readingNotes = ({
  texts,
  missingCollation,
  hasNullInList,
  slips = [],
}: Pick<RowsReply, "texts" | "missingCollation" | "hasNullInList" | "slips">): ReturnType<typeof text>[] => [
  ...(texts === undefined ? [] : [text(takenAsText(texts))]),
  ...(missingCollation === undefined ? [] : [text(sortedWithout(missingCollation))]),
  ...(hasNullInList === true ? [text(NULL_IN_LIST)] : []),
  ...slips.map((slip) => text(`[${slip}]`)),
];

const NULL_IN_LIST = "[NOT IN is never true here, because its list holds a NULL: leave it out by WHERE … IS NOT NULL, or use NOT EXISTS]";

/** SQL has single quotes for texts; a name in double quotes that does not exist was taken for one. */
const takenAsText = (texts: readonly string[]): string =>
  `[Not names here, so read as texts: ${texts
    .slice(0, 5)
    .map((one) => `'${clip(one, 40)}'`)
    .join(", ")}${texts.length > 5 ? " …" : ""}]`;

const sortedWithout = (collation: string): string =>
  `[Sorted by NOCASE in place of the collation ${clip(collation, 80)}, which only the program that made the database has: letters other than A to Z come last]`;
