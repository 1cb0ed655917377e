// The cells of a sheet, and the texts that sheets share.
import { BoundedText } from "../container/bounded-text.ts";
import { attribute, readXml, type Attributes } from "../container/xml.ts";
import { dateText } from "./xlsx-styles.ts";

const FORMAT = "XLSX";
/** The last column is XFD. */
const MAX_COLUMNS = 16_384;

export interface Workbook {
  readonly shared: readonly string[];
  /** Indexes of the styles that show a date. */
  readonly dates: ReadonlySet<number>;
  /** Dates count from 1904 instead of 1900. */
  readonly is1904: boolean;
}

export function readSharedStrings(bytes: Uint8Array, name: string): string[] {
  const texts: string[] = [];
  let [text, isText, isPhonetic] = ["", false, false];
  readXml(bytes, FORMAT, name, {
    open(tag) {
      if (tag === "si") text = "";
      else if (tag === "rPh") isPhonetic = true;
      else if (tag === "t") isText = !isPhonetic;
    },
    close(tag) {
      if (tag === "si") texts.push(text);
      else if (tag === "rPh") isPhonetic = false;
      else if (tag === "t") isText = false;
    },
    text(more) {
      if (isText) text += more;
    },
  });
  return texts;
}

interface Cell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
  value: string;
}

export function readSheet(bytes: Uint8Array, name: string, workbook: Workbook): string {
  const rows = new BoundedText();
  let [row, column, isValue] = [0, 0, false];
  let cell: Cell | undefined;
  readXml(bytes, FORMAT, name, {
    open(tag, attributes) {
      if (tag === "row") {
        row = numberOf(attribute(attributes, "r")) ?? row + 1;
        column = 0;
      } else if (tag === "c") cell = cellOf(attributes, column + 1);
      else if (tag === "v" || tag === "t") isValue = true;
    },
    close(tag) {
      if (tag === "v" || tag === "t") isValue = false;
      if (tag === "row") rows.endLine();
      if (tag !== "c" || cell === undefined) return;
      const text = textOf(cell, workbook);
      if (text !== "") {
        // Tabs stand for the cells between that are empty.
        rows.add((column === 0 ? `${row}\t` : "") + "\t".repeat(Math.max(cell.column - Math.max(column, 1), 0)) + text);
        column = cell.column;
      }
      cell = undefined;
    },
    text(more) {
      if (isValue && cell !== undefined) cell.value += more;
    },
  });
  return rows.toString();
}

function cellOf(attributes: Attributes, next: number): Cell {
  const column = columnOf(attribute(attributes, "r")) ?? next;
  return { column, type: attribute(attributes, "t") ?? "n", style: numberOf(attribute(attributes, "s")) ?? 0, value: "" };
}

/** Pure. `C5` is the third column. */
function columnOf(reference: string | undefined): number | undefined {
  const [, letters = ""] = /^([A-Z]{1,3})\d*$/.exec(reference ?? "") ?? [];
  if (letters === "") return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return Math.min(column, MAX_COLUMNS);
}

function textOf({ type, style, value }: Cell, { shared, dates, is1904 }: Workbook): string {
  if (type === "s") return oneLine(shared[Number(value)] ?? "");
  if (type === "b") return value === "" ? "" : value === "1" ? "TRUE" : "FALSE";
  if (type === "n" && value !== "" && dates.has(style)) return dateText(Number(value), is1904) ?? value;
  return oneLine(value);
}

/** A cell with several lines stays in its row. */
const oneLine = (text: string): string => text.trim().replaceAll(/[\t\r\n]+/g, " ");

const numberOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
