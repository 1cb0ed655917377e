// What the values of a column say against it: other types, mixed forms of numbers and dates, sums over text, near duplicates.
import { quoteName } from "../schema/schema-pragmas.ts";
import type { CheckedTable, Finding } from "./finding.ts";
import { formOf, PLAIN_NUMBER, TEXT_FORMS, type TextForm } from "./text-forms.ts";

/** Fewer values have no usual type or form. */
const MIN_VALUES = 3;
/** The share of the values that make a type or form the usual one of a column. */
const USUAL_SHARE = 0.7;
const MIN_UNIQUE_SHARE = 0.9;
/** Columns with more different texts are not lists of words, such as states. */
const MAX_SPELLINGS = 200;

interface Types {
  readonly numbers: number;
  readonly texts: number;
  readonly blobs: number;
  /** Texts that are not empty. */
  readonly written: number;
  readonly differing: number;
}

export function checkColumn(table: CheckedTable, column: string): Finding[] {
  const name = quoteName(column);
  const types = table.numbers({
    numbers: `count(CASE WHEN typeof(${name}) IN ('integer', 'real') THEN 1 END)`,
    texts: `count(CASE WHEN typeof(${name}) = 'text' THEN 1 END)`,
    blobs: `count(CASE WHEN typeof(${name}) = 'blob' THEN 1 END)`,
    written: `count(CASE WHEN typeof(${name}) = 'text' AND trim(${name}) <> '' THEN 1 END)`,
    differing: `count(DISTINCT CASE WHEN typeof(${name}) = 'text' AND length(${name}) <= 200 THEN ${name} COLLATE BINARY END)`,
  });
  const isText = types.written >= MIN_VALUES;
  return [
    ...checkTypes(table, column, types),
    ...(isText ? checkForms(table, column, types) : []),
    ...(isText && types.differing <= Math.min(MAX_SPELLINGS, types.written / 2) ? checkSpellings(table, column) : []),
    ...(isText && types.differing >= MIN_UNIQUE_SHARE * types.texts ? checkDuplicates(table, column) : []),
  ];
}

function checkTypes(table: CheckedTable, column: string, { numbers, texts, blobs }: Types): Finding[] {
  const all = numbers + texts + blobs;
  const usual = Math.max(numbers, texts, blobs);
  if (usual === all || usual < MIN_VALUES || usual < USUAL_SHARE * all) return [];
  const [word, same] =
    usual === numbers ? ["a number", "'integer', 'real'"] : usual === texts ? ["a text", "'text'"] : ["a BLOB", "'blob'"];
  const where = `typeof(${quoteName(column)}) NOT IN (${same}, 'null')`;
  const effect = usual === numbers ? "; sum() counts them as 0 or in part, and they sort after all numbers" : "";
  return [table.finding("type", column, where, (count) => `${count} of ${all} values are not ${word}, as the others are${effect}.`)];
}

function checkForms(table: CheckedTable, column: string, { written }: Types): Finding[] {
  const name = quoteName(column);
  const counts = table.counts<number | null>(formOf(name));
  const found = TEXT_FORMS.map((form, index) => ({ form, count: counts.get(index) ?? 0 })).filter(({ count }) => count > 0);
  const of = (family: TextForm["family"]) =>
    found.filter(({ form }) => form.family === family).toSorted((one, other) => other.count - one.count);
  const family = (["number", "date"] as const).find((one) => of(one).reduce((sum, { count }) => sum + count, 0) >= USUAL_SHARE * written);
  const forms = family === undefined ? [] : of(family);
  const [usual] = forms;
  if (usual === undefined) return [];
  const isText = `typeof(${name}) = 'text' AND trim(${name}) <> ''`;
  const otherThan = ({ condition }: TextForm): string => `${isText} AND NOT (${condition(`trim(${name})`)})`;
  const findings: Finding[] = [];
  if (forms.length > 1) {
    const names = forms.map(({ form }) => form.name).join(", ");
    const effect = family === "date" ? "they sort and compare letter by letter" : "they are not numbers to SQLite";
    findings.push(
      table.finding(
        "form",
        column,
        otherThan(usual.form),
        (count) => `${family}s as text in ${forms.length} forms (${names}): ${effect}; ${count} are not ${usual.form.name}.`,
      ),
    );
  }
  if (family === "number" && (usual.form !== PLAIN_NUMBER || forms.length > 1))
    findings.push(
      table.finding(
        "sum",
        column,
        otherThan(PLAIN_NUMBER),
        (count) => `sum() and avg() read ${count} texts only up to the first letter that is not of a number: '1,234' counts as 1.`,
      ),
    );
  return findings;
}

/** A few words that repeat, some of them also in other capitals or with blanks: PAID beside paid. */
function checkSpellings(table: CheckedTable, column: string): Finding[] {
  const name = quoteName(column);
  const text = `CASE WHEN typeof(${name}) = 'text' AND length(${name}) <= 200 THEN ${name} END COLLATE BINARY`;
  const counts = [...table.counts<string | null>(text)].flatMap(([value, count]) =>
    value === null || value.trim() === "" || value.includes("\0") ? [] : [{ value, count }],
  );
  const words = [...Map.groupBy(counts, ({ value }) => value.trim().toLowerCase()).values()].filter((spellings) => spellings.length > 1);
  const unusual = words.flatMap((spellings) => spellings.toSorted((one, other) => other.count - one.count).slice(1));
  if (unusual.length === 0) return [];
  const list = unusual.map(({ value }) => `'${value.replaceAll("'", "''")}'`).join(", ");
  return [
    table.finding(
      "spelling",
      column,
      `${name} COLLATE BINARY IN (${list})`,
      (count) => `${count} rows have a word in other capitals or with blanks than most: = and GROUP BY take it for another one.`,
    ),
  ];
}

/** Texts that occur more than once, or differ in capitals or blanks only. */
function checkDuplicates(table: CheckedTable, column: string): Finding[] {
  const name = quoteName(column);
  const key = (of: string): string => `lower(trim(replace(${of}, '  ', ' '), char(9, 10, 13, 32, 160)))`;
  const where = (from: string): string =>
    `typeof(${name}) = 'text' AND ${key(name)} IN (SELECT ${key(name)} FROM ${from} WHERE typeof(${name}) = 'text' AND trim(${name}) <> '' GROUP BY 1 HAVING count(*) > 1)`;
  const finding = table.finding(
    "duplicate",
    column,
    where,
    (count) => `${count} rows share their text with another one, capitals and blanks aside, where almost all others are unique.`,
  );
  return finding.count > 0 ? [{ ...finding, query: `${finding.query} ORDER BY ${key(name)}` }] : [];
}
