// The affinity of a column, by its declared type: which values SQLite converts when they are stored or compared.
// https://sqlite.org/datatype3.html#determination_of_column_affinity

export type Affinity = "integer" | "text" | "none" | "real" | "numeric";

/** Of an ordinary table: in a STRICT one ANY converts nothing. */
export function affinityOf(type: string): Affinity {
  if (/int/i.test(type)) return "integer";
  if (/char|clob|text/i.test(type)) return "text";
  if (type === "" || /blob/i.test(type)) return "none";
  return /real|floa|doub/i.test(type) ? "real" : "numeric";
}

/** Whether a text that looks like a number becomes one. */
export const isNumeric = (affinity: Affinity): boolean => affinity !== "text" && affinity !== "none";
