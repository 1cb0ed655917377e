// Forms in which numbers and dates are written as text, as conditions in SQL, so that a query shows what a check has counted.

export interface TextForm {
  readonly family: "number" | "date";
  /** An example of the form. */
  readonly name: string;
  /** @param value An expression. */
  readonly condition: (value: string) => string;
}

const glob = (value: string, ...patterns: readonly string[]): string =>
  patterns.map((pattern) => `${value} GLOB '${pattern}'`).join(" AND ");
const notGlob = (value: string, ...patterns: readonly string[]): string =>
  patterns.map((pattern) => `${value} NOT GLOB '${pattern}'`).join(" AND ");
const unsigned = (value: string): string => `ltrim(${value}, '+- ')`;

/** Beginnings of names of months, in English, German and French. */
const MONTHS = "jan feb fév mar mär mrz apr avr may mai jun jui jul aug aoû sep oct okt nov dec dez déc".split(" ");
const D = "[0-9]";
const YEAR = D.repeat(4);

/** SQLite reads only this one as a whole number. */
export const PLAIN_NUMBER: TextForm = {
  family: "number",
  name: "1234.5",
  condition: (value) => `${glob(unsigned(value), `*${D}*`)} AND ${notGlob(unsigned(value), "*[^0-9.]*", "*.*.*")}`,
};

/** The first one that fits counts. */
export const TEXT_FORMS: readonly TextForm[] = [
  { family: "date", name: "2026-01-31T10:00", condition: (value) => glob(value, `${YEAR}-${D}${D}-${D}${D}T*`) },
  { family: "date", name: "2026-01-31", condition: (value) => `${glob(value, `${YEAR}-${D}${D}-${D}${D}*`)} AND ${notGlob(value, "*T*")}` },
  { family: "date", name: "31-01-2026", condition: (value) => glob(value, `${D}*-${D}*-${YEAR}*`) },
  { family: "date", name: "31.01.2026", condition: (value) => glob(value, `${D}*.${D}*.${YEAR}*`) },
  {
    family: "date",
    name: "1/31/2026",
    condition: (value) => `${glob(value, `${D}*/${D}*/${D}${D}*`)} AND ${notGlob(value, "*[^0-9/: APMapm]*")}`,
  },
  {
    family: "date",
    name: "31 Jan 2026",
    condition: (value) =>
      `(${glob(value, `*${YEAR}*`)} OR ${glob(value, `${D}*-[^0-9]*-${D}${D}`)}) AND (${MONTHS.map((month) => glob(`lower(${value})`, `*${month}*`)).join(" OR ")})`,
  },
  PLAIN_NUMBER,
  {
    family: "number",
    name: "1,234.5",
    condition: (value) => `${glob(unsigned(value), `${D}*,${D}${D}${D}*`)} AND ${notGlob(unsigned(value), "*[^0-9.,]*", "*.*,*")}`,
  },
  {
    family: "number",
    name: "1.234,5",
    condition: (value) => `${glob(unsigned(value), `${D}*.${D}${D}${D}*`)} AND ${notGlob(unsigned(value), "*[^0-9.,]*", "*,*.*", "*,*,*")}`,
  },
  {
    family: "number",
    name: "1234,5",
    condition: (value) => `${glob(unsigned(value), `${D}*,${D}*`)} AND ${notGlob(unsigned(value), "*[^0-9,]*", "*,*,*")}`,
  },
  {
    family: "number",
    name: "$1234.5",
    condition: (value) =>
      `${glob(unsigned(value), `*${D}*`)} AND ${notGlob(unsigned(value), "*[^0-9., $€£¥%A-Z]*", "*[A-Z]*[0-9]*[A-Z]*", "*[A-Z][A-Z][A-Z][A-Z]*")} AND (${glob(value, "*[$€£¥%]*")} OR ${glob(value, "* [A-Z][A-Z][A-Z]")} OR ${glob(value, "[A-Z][A-Z][A-Z] *")})`,
  },
];

/** The index of the form of a text; NULL for other texts and values. */
export const formOf = (column: string): string => {
  const value = `trim(${column})`;
  const cases = TEXT_FORMS.map(({ condition }, index) => `WHEN ${condition(value)} THEN ${index}`);
  return `CASE WHEN typeof(${column}) <> 'text' OR length(${column}) > 40 OR ${notGlob(column, `*${D}*`)} THEN NULL ${cases.join(" ")} END`;
};
