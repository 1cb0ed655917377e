// Slips in the use of dates, as other databases write them: a cast, formats, and steps of time that SQLite does not know.
import { endOfBrackets, isSymbol, isWord, type Token } from "./tokens.ts";

/** `CAST(placed_at AS DATE)` */
export function castToDate(tokens: readonly Token[], index: number): string | undefined {
  const end = isWord(tokens[index], "CAST") ? endOfBrackets(tokens, index + 1) : undefined;
  if (end === undefined || !isWord(tokens[end - 3], "AS")) return undefined;
  const type = tokens[end - 2]?.value.toUpperCase() ?? "";
  if (!["DATE", "DATETIME", "TIMESTAMP"].includes(type)) return undefined;
  return `CAST(… AS ${type}) gives the number at the start of the text, such as the year: use ${type === "DATE" ? "date" : "datetime"}(…)`;
}

/** `format(day, 'yyyy-MM')`, which is printf here */
export function formatOfDate(tokens: readonly Token[], index: number): string | undefined {
  const [name, open, , comma, format] = tokens.slice(index, index + 5);
  if (!isWord(name, "FORMAT") || !isSymbol(open, "(") || !isSymbol(comma, ",") || format?.kind !== "text") return undefined;
  return /yy|MM|dd|HH/.test(format.value) && !format.value.includes("%")
    ? `format() fills in %d and %s, and leaves '${format.value}' out: use strftime('%Y-%m', day)`
    : undefined;
}

/** `strftime(day, '%Y-%m')` */
export function formatAfterDate(tokens: readonly Token[], index: number): string | undefined {
  const end = isWord(tokens[index], "STRFTIME") ? endOfBrackets(tokens, index + 1) : undefined;
  if (end === undefined) return undefined;
  const [first, last] = [tokens[index + 2], tokens[end - 2]];
  const isReversed = first?.kind !== "text" && last?.kind === "text" && last.value.startsWith("%") && isSymbol(tokens[end - 3], ",");
  return isReversed ? `strftime takes the format first, and is NULL otherwise: write strftime('${last.value}', day)` : undefined;
}

/** `date(day, '-1 week')` */
export function unknownStep(tokens: readonly Token[], index: number): string | undefined {
  const [, sign = "", count = "", unit = ""] = /^([-+]?)(\d{1,4}) (week|quarter)s?$/i.exec(tokens[index]?.value ?? "") ?? [];
  if (unit === "" || !isSymbol(tokens[index - 1], ",")) return undefined;
  const isOfDate = tokens
    .slice(Math.max(0, index - 8), index)
    .some(({ value }, at, near) => /^(?:date|time|datetime|julianday|unixepoch|strftime)$/i.test(value) && isSymbol(near[at + 1], "("));
  const known = /^w/i.test(unit) ? `${Number(count) * 7} days` : `${Number(count) * 3} months`;
  return isOfDate ? `'${sign}${count} ${unit}' is not a step that SQLite knows, and gives NULL: write '${sign}${known}'` : undefined;
}
