// Texts that a spreadsheet takes for formulas when it opens a CSV file.

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Whether a text begins as a formula of a spreadsheet does. */
export const isLikeFormula = (text: string): boolean => /^[=+\-@\t\r]/.test(text) && !NUMBER.test(text);

/** The warning where such a text is in a file. It is kept as it is: a changed text would no longer be what import_csv is to read. */
export const FORMULA_WARNING = "Some texts begin like formulas: open this file as text in a spreadsheet.";
