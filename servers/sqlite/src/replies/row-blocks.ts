// Rows in a reply: arrays for programs, and a text for models.
import { counted } from "@oarlock/domain-kit";
import { encodedText, text, type Block } from "@oarlock/server-kit";
import { escapeForJson } from "../db/protocol/frames.ts";
import type { ClippedValue, Column, EncodedRows, Format } from "../db/protocol/rows.ts";

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
  ...(clipped.length === 0 ? [] : [text(`[truncated: ${counted(clipped.length, "value")}; see clipped]`)]),
  ...(hasReplacementCharacter
    ? [text("[\uFFFD may stand for bytes that are not text in the encoding of the database; hex(column) shows them]")]
    : []),
];
