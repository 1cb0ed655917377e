// The text of a table's description: its CREATE statements, which say the most in the fewest words, and what they do not say.
import { clip, counted, escapeControls } from "@oarlock/domain-kit";
import type { TableDescription } from "../db/protocol/schema-messages.ts";

export function tableText(description: TableDescription): string {
  const { table, type, sql = "", columns, rowEstimate, error, truncated } = description;
  const { referencedBy = [], indexes = [], triggers = [] } = description;
  const rows = rowEstimate === undefined ? "" : `, about ${counted(rowEstimate, "row")}`;
  const kind = type === "view" ? "view" : type === "virtual" ? "virtual table" : "table";
  const named = columns.map((column) => `${column.name} ${column.type}`.trim()).join(", ");
  const lines = [
    `${clip(JSON.stringify(table), 200)}: ${kind}${rows}`,
    ...(sql === "" ? [] : [sql]),
    // The statement of a view or virtual table does not tell them, nor does one that is cut.
    ...(type === "table" && sql !== "" && truncated !== true ? [] : [`Columns: ${named}`]),
    ...(error === undefined ? [] : [`Error: ${error}`]),
    ...(referencedBy.length === 0
      ? []
      : [`Referenced by ${referencedBy.map((one) => `${one.table}(${one.columns.join(", ")})`).join(", ")}`]),
    ...[...indexes, ...triggers].flatMap((object) => object.sql ?? []),
    ...(truncated === true ? ["[truncated: the table has more than fits in a reply]"] : []),
  ];
  return lines.map(escapeControlsOfLines).join("\n");
}

/** Statements have lines of their own. */
const escapeControlsOfLines = (text: string): string => text.split("\n").map(escapeControls).join("\n");
