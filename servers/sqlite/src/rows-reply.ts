// Rows in a reply: arrays for programs, and a text for models, in which few rows are objects and the names of many stand once.
import { encodedText, type Block } from "@oarlock/server-kit";
import type { Answer } from "./db/process.ts";
import type { Column, Format } from "./db/requests.ts";

export function rowsText({ arrays, texts, objects }: Answer, columns: readonly Column[], format: Format = "json"): Block {
  if (format !== "json") return encodedText(`"${texts}"`);
  if (objects !== undefined || arrays === "") return encodedText(`"[${objects ?? ""}]"`);
  const names = JSON.stringify(JSON.stringify(columns.map(({ name }) => name))).slice(1, -1);
  return encodedText(`"{\\"columns\\":${names},\\"rows\\":[${texts}]}"`);
}

/** The members `columns`, `rows` and those of `facts`, as JSON. */
export const rowsJson = ({ arrays }: Answer, columns: readonly Column[], facts: object): string =>
  `{"columns":${JSON.stringify(columns)},"rows":[${arrays}],${JSON.stringify(facts).slice(1)}`;
