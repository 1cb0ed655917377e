// Dates in Excel files: numbers of days, which only the style of a cell tells from other numbers.
import { attribute, readXml } from "../container/xml.ts";

const FORMAT = "XLSX";
const DAY_MS = 86_400_000;
/** Days from the start of counting to 1970. The former counts a 29 February 1900 that never was. */
const DAYS_1900 = 25_569;
const DAYS_1904 = 24_107;

/** The indexes of the styles that show a date or a time. */
export function readDateStyles(bytes: Uint8Array, name: string): ReadonlySet<number> {
  const custom = new Map<string, string>();
  const dates = new Set<number>();
  let [isInCells, index] = [false, 0];
  readXml(bytes, FORMAT, name, {
    open(tag, attributes) {
      if (tag === "numFmt") custom.set(attribute(attributes, "numFmtId") ?? "", attribute(attributes, "formatCode") ?? "");
      else if (tag === "cellXfs") isInCells = true;
      else if (tag === "xf" && isInCells) {
        const id = attribute(attributes, "numFmtId") ?? "0";
        if (isDateFormat(Number(id), custom.get(id))) dates.add(index);
        index += 1;
      }
    },
    close(tag) {
      if (tag === "cellXfs") isInCells = false;
    },
  });
  return dates;
}

/** Pure. Codes without texts in quotes, escapes and colours, of which `y`, `d`, `h` and `s` stand in dates only. */
function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);
  return /[ydhs]|mm/i.test(code.replaceAll(/"[^"]*"|\\.|\[[^\]]*\]|_.|General/g, ""));
}

/** Pure. ISO 8601, the time only where there is one. Undefined for numbers outside of the calendar. */
export function dateText(days: number, is1904: boolean): string | undefined {
  if (!Number.isFinite(days) || days < 0 || days > 2_958_466) return undefined;
  const corrected = is1904 || days >= 60 ? days : days + 1;
  const date = new Date(Math.round((corrected - (is1904 ? DAYS_1904 : DAYS_1900)) * DAY_MS));
  const [day = "", time = ""] = date.toISOString().slice(0, 19).split("T");
  if (days < 1) return time;
  return time === "00:00:00" ? day : `${day} ${time}`;
}
