// What the caller of an import must know about its values, one sentence each.
import { clip, counted } from "@oarlock/domain-kit";
import type { ColumnProfile, ValueFormats } from "./column-profile.ts";
import type { FileProfile, RowOptions } from "./file-profile.ts";
import type { ImportColumn, RecordInsert } from "./record-insert.ts";
import { isNamedLikeDate, kindOf } from "./value-kinds.ts";

/** Columns named in one sentence. */
const NAMED = 5;
/** The share of a column's values that must look alike. */
const MOST = 0.9;

interface HeaderOptions extends RowOptions {
  readonly hasHeader: boolean;
  readonly hasUnnamedIndex: boolean;
}

export function importNotes(file: FileProfile, insert: RecordInsert, formats: ValueFormats, options: HeaderOptions): string[] {
  const pairs = insert.columns.flatMap((column, index) => {
    const profile = file.columns[index];
    return profile === undefined ? [] : [{ column, profile }];
  });
  return [
    ...repeatedHeaderNote(file, options),
    ...shortRowNote(file),
    ...longRowNote(file),
    ...totalNote(file),
    ...pairs.flatMap(({ column, profile }) => restNote(column, profile, formats)),
    ...[...insert.textsInNumbers].map(
      ([name, { count, first, row }]) =>
        `No number, stored as text: ${counted(count, "value")} of ${clip(name)}, first ${quoted(first)} in row ${row}.`,
    ),
    ...quoteNote(pairs),
    ...nullNote(pairs),
    ...lookalikes(pairs, formats),
    ...groupedNote(pairs),
    ...numberedDates(pairs),
    ...headerNote(insert, options),
    ...(options.hasUnnamedIndex
      ? [`Each row has one value more than there are names: the first, its number, is ${clip(insert.columns[0]?.name ?? "")}.`]
      : []),
  ];
}

const quoted = (text: string): string => JSON.stringify(clip(text, 40));

function repeatedHeaderNote({ repeatedHeaders }: FileProfile, { skipsRepeatedHeaders }: HeaderOptions): string[] {
  const { length } = repeatedHeaders;
  if (length === 0) return [];
  const rows = `${counted(length, "row")} (${repeatedHeaders.slice(0, NAMED).join(", ")}${length > NAMED ? ", …" : ""})`;
  if (skipsRepeatedHeaders) return [`Repeats the header, left out: ${rows}.`];
  return [`Repeats the header, stored as data: ${rows}; pass skip_repeated_headers to leave it out.`];
}

function shortRowNote({ shortRows, shortLines }: FileProfile): string[] {
  if (shortRows === 0) return [];
  const lines = `${shortLines.length === 1 ? "line" : "lines"} ${shortLines.join(", ")}${shortRows > shortLines.length ? ", …" : ""}`;
  return [`Shorter than the header: ${counted(shortRows, "row")} (${lines}); the missing values are NULL.`];
}

function longRowNote({ longRows: { count, first } }: FileProfile): string[] {
  if (count === 0) return [];
  const more = count > first.length ? ` and ${count - first.length} more` : "";
  return [
    `Left out, with more values than names: ${counted(count, "row")}: ${first.join(", ")}${more}. Add them as they are meant by write_query.`,
  ];
}

function totalNote({ total, subtotals }: FileProfile): string[] {
  if (subtotals.length > 0) {
    const rows = [...subtotals, ...(total === undefined ? [] : [total.row])];
    return [
      `Look like totals: ${counted(rows.length, "row")} (${rows.slice(0, NAMED).join(", ")}${rows.length > NAMED ? ", …" : ""}); delete them unless they belong to the data.`,
    ];
  }
  if (total === undefined) return [];
  return [`The last row, ${total.row}, looks like a total (${quoted(total.text)}): delete it unless it belongs to the data.`];
}

function restNote(column: ImportColumn, profile: ColumnProfile, formats: ValueFormats): string[] {
  if (column.reading === "as written") return [];
  const { count, first } = profile.rest(column.reading);
  if (count === 0) return [];
  const kind = column.reading === "date" ? "in this date format" : `with decimal ${quoted(formats.decimal ?? ".")} as a number`;
  const named = first.map(({ text, row }) => `${quoted(text)} in row ${row}`).join(", ");
  return [`Not read ${kind}, stored as text: ${counted(count, "value")} of ${clip(column.name)}, ${named}.`];
}

/** What was meant is not certain, so such values keep their quotes. */
function quoteNote(pairs: readonly { column: ImportColumn; profile: ColumnProfile }[]): string[] {
  return pairs.flatMap(({ column, profile: { brokenQuotes, firstBrokenQuote } }) => {
    if (firstBrokenQuote === undefined) return [];
    const { text, row } = firstBrokenQuote;
    return `With quotes around it and inside: ${counted(brokenQuotes, "value")} of ${clip(column.name)}, ${quoted(text)} in row ${row}. If the file does not double quotes inside quotes, substr(column, 2, length(column) - 2) is meant.`;
  });
}

/** Texts such as NA, which also keep a column of numbers from being one. */
function nullNote(pairs: readonly { column: ImportColumn; profile: ColumnProfile }[]): string[] {
  const marked = pairs.filter(({ profile }) => profile.nullMarks.size > 0);
  if (marked.length === 0) return [];
  const marks = [...new Set(marked.flatMap(({ profile }) => [...profile.nullMarks.keys()]))].map(quoted);
  const names = marked.slice(0, NAMED).map(({ column }) => clip(column.name));
  const more = marked.length > NAMED ? ` and ${marked.length - NAMED} more` : "";
  return [`Stored as text: ${marks.join(", ")} in ${names.join(", ")}${more}; pass nulls [${marks.join(", ")}] if no value is meant.`];
}

/** Columns of texts that a person would take for numbers or dates, by the argument that makes them so. */
function lookalikes(pairs: readonly { column: ImportColumn; profile: ColumnProfile }[], formats: ValueFormats): string[] {
  const texts = pairs.filter(({ column, profile }) => column.created === "TEXT" && column.reading === "as written" && profile.looked > 0);
  const groups = new Map<string, string[]>();
  for (const { column, profile } of texts) {
    const advice = adviceFor(profile, formats);
    if (advice !== undefined) groups.set(advice, [...(groups.get(advice) ?? []), `${clip(column.name)} (${quoted(profile.example)})`]);
  }
  return [...groups].map(([advice, names]) => {
    const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : "";
    return `Stored as text: ${names.slice(0, NAMED).join(", ")}${more} ${advice}`;
  });
}

/** Days that are stored as the numbers they are written as. */
function numberedDates(pairs: readonly { column: ImportColumn; profile: ColumnProfile }[]): string[] {
  const numbers = pairs.filter(
    ({ column, profile }) => column.reading === "as written" && column.affinity === "numeric" && profile.looked > 0,
  );
  const note = (isDate: (pair: (typeof pairs)[number]) => boolean, advice: string): string[] => {
    const names = numbers.filter(isDate).map(({ column, profile }) => `${clip(column.name)} (${profile.example})`);
    const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : "";
    return names.length === 0 ? [] : [`Stored as numbers: ${names.slice(0, NAMED).join(", ")}${more} ${advice}`];
  };
  return [
    ...note(
      ({ profile }) => profile.compactDates >= profile.looked * MOST,
      'look like dates; pass date_format "YYYYMMDD" to store YYYY-MM-DD.',
    ),
    ...note(
      ({ column, profile }) => profile.serialDates >= profile.looked * MOST && isNamedLikeDate(column.name),
      "look like dates as spreadsheets count days; date(column + 2415018.5) shows them.",
    ),
  ];
}

/** `1.234` may be a little more than one, or more than a thousand. */
function groupedNote(pairs: readonly { column: ImportColumn; profile: ColumnProfile }[]): string[] {
  const grouped = pairs.filter(
    ({ column, profile }) =>
      column.reading === "as written" &&
      column.affinity === "numeric" &&
      profile.groupedReals > 0 &&
      profile.groupedReals === profile.exactReals &&
      profile.longIntegers === 0,
  );
  if (grouped.length === 0) return [];
  const names = grouped.slice(0, NAMED).map(({ column, profile }) => `${clip(column.name)} (${quoted(profile.example)})`);
  return [`Read with a decimal point: ${names.join(", ")}; pass decimal "," if the point groups thousands.`];
}

/** A number among the names is a sign of a line that belongs to something else. Years are names. */
function headerNote({ columns }: RecordInsert, { hasHeader }: HeaderOptions): string[] {
  const names = columns.map(({ name }) => name);
  const values = names.filter((name) => kindOf(name) !== "text" && !/^(?:19|20)\d\d$/.test(name));
  if (!hasHeader || values.length === 0 || values.length === names.length) return [];
  return [`A name is a value: ${quoted(values[0] ?? "")}. Pass skip_lines if the names stand further down.`];
}

function adviceFor(profile: ColumnProfile, formats: ValueFormats): string | undefined {
  const enough = profile.looked * MOST;
  if (profile.dateLike >= enough) return dateAdvice(profile, enough, formats);
  if (profile.marked >= enough)
    return `hold ="…", as spreadsheets mark texts; substr(column, 3, length(column) - 3) is what stands inside.`;
  if (profile.withUnit >= enough)
    return `look like numbers with a unit; store them by UPDATE with replace() and CAST${profile.bracketed > 0 ? ", where brackets mean minus" : ""}.`;
  if (profile.shortened >= enough)
    return "have lost digits: a spreadsheet has shortened long numbers. Export the file anew with that column as text.";
  const { ".": points, ",": commas } = profile.numbers;
  const most = Math.max(points, commas);
  if (profile.padded >= enough && (most < enough || profile.codes > 0))
    return "stand between blanks, which are kept; trim(column) leaves them out.";
  if (profile.codes > 0) return undefined;
  if (most < enough) return most * 2 > profile.looked && profile.nullMarks.size === 0 ? wordAdvice(profile) : undefined;
  if (formats.decimal !== undefined)
    return profile.numbers[formats.decimal] < enough ? `look like numbers with another decimal mark.` : undefined;
  if (points >= enough && commas >= enough) return `look like numbers; pass decimal "." or "," to store numbers.`;
  return `look like numbers; pass decimal "${points >= commas ? "." : ","}" to store numbers.`;
}

/** Numbers that a column would keep as they are written need no decimal mark. */
function wordAdvice({ firstWord, numbers, integers, exactReals }: ColumnProfile): string {
  if (firstWord === undefined)
    return "look like numbers, some with a decimal point and some with a comma; store them by UPDATE with replace() and CAST.";
  const mark = numbers["."] >= numbers[","] ? "." : ",";
  const decimal = integers + exactReals >= numbers[mark] ? "" : `decimal "${mark}" to store numbers, and `;
  // With a digit it is a value that is written in another way.
  if (/\d/.test(firstWord))
    return `look like numbers but for ${quoted(firstWord)}, which stays a text; UPDATE it to the form of the others.`;
  return `look like numbers but for ${quoted(firstWord)}; pass ${decimal}nulls [${quoted(firstWord)}] if that means no value.`;
}

function dateAdvice({ dates, isoDates, dateForms }: ColumnProfile, enough: number, given: ValueFormats): string | undefined {
  // YYYY-MM-DD is what SQLite's functions take.
  if (isoDates >= enough) return undefined;
  const formats = [...dates].filter(([, count]) => count >= enough).map(([format]) => format);
  if (formats.length === 0)
    return dateForms.size > 1
      ? `look like dates in mixed forms: ${[...dateForms.values()].slice(0, NAMED).map(quoted).join(", ")}.`
      : "look like dates that date_format cannot read; store them by UPDATE with substr().";
  const names = formats.map(quoted).join(" or ");
  return given.date === undefined
    ? `look like dates; pass date_format ${names} to store YYYY-MM-DD.`
    : `look like dates in another format, ${names}.`;
}
