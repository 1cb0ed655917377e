// Rows in a reply: arrays for programs, and a text for models, in which few rows are objects and the names of many stand once.
import { encodedText, text, type Block } from "@oarlock/server-kit";
import { counted } from "../db/counted.ts";
import { inText } from "../db/protocol/frames.ts";
import type { Answer } from "../db/process/database-process.ts";
import type { Clipped, Column, Format } from "../db/protocol/requests.ts";

export function rowsText({ arrays, texts, objects }: Answer, columns: string, format: Format = "json"): Block {
  if (format !== "json") return encodedText(`"${texts}"`);
  if (objects !== undefined || arrays === "") return encodedText(`"[${objects ?? ""}]"`);
  const names = inText(JSON.stringify((JSON.parse(columns) as Column[]).map(({ name }) => name))); // our own process told them
  return encodedText(`"{\\"columns\\":${names},\\"rows\\":[${texts}]}"`);
}

/** The members `columns`, `rows` and those of `facts`, as JSON. */
export const rowsJson = ({ arrays }: Answer, columns: string, facts: object): string =>
  `{"columns":${columns},"rows":[${arrays}],${JSON.stringify(facts).slice(1)}`;

/** What a text with rows says of values that did not come whole, or not as they are: the driver has a sign for bytes that are no text. */
export const cutText = ({ odd }: Pick<Answer, "odd">, clipped: readonly Clipped[]): ReturnType<typeof text>[] => [
  ...(clipped.length === 0 ? [] : [text(`[${counted(clipped.length, "value")} ${clipped.length === 1 ? "is" : "are"} cut; see clipped]`)]),
  ...(odd ? [text("[\uFFFD may stand for bytes that are no text in the encoding of the database; hex(column) has them]")] : []),
];
