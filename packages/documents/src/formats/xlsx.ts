// Excel files (XLSX): each sheet as lines with the number of the row and its cells, separated by tabs. Formulas show their stored values.
import { mainFile, relationshipsOf } from "../container/relationships.ts";
import { attribute, readXml } from "../container/xml.ts";
import { ZipArchive } from "../container/zip-archive.ts";
import type { Document } from "../document.ts";
import { readImages, related } from "../images/archive-images.ts";
import { MAX_PARTS } from "../limits.ts";
import { readSharedStrings, readSheet } from "./xlsx-sheet.ts";
import { readDateStyles } from "./xlsx-styles.ts";

const FORMAT = "XLSX";
const WORKBOOK = "xl/workbook.xml";

interface Sheet {
  readonly title: string;
  readonly file: string;
}

export function openXlsx(bytes: Uint8Array): Document {
  const archive = new ZipArchive(bytes, FORMAT);
  const workbook = mainFile(archive, FORMAT, WORKBOOK);
  const relationships = relationshipsOf(archive, workbook, FORMAT);
  const byType = (wanted: string): string | undefined =>
    [...relationships.values()].find(({ type, target }) => type === wanted && archive.has(target))?.target;
  const { sheets, is1904 } = sheetsOf(archive, workbook, (id) => relationships.get(id)?.target);
  const [strings, styles] = [byType("sharedStrings"), byType("styles")];
  // Both count for each sheet, so they are read once.
  let shared: readonly string[] | undefined;
  let dates: ReadonlySet<number> | undefined;
  return {
    format: "xlsx",
    unit: "sheet",
    count: sheets.length,
    read(index) {
      const sheet = sheets[index];
      if (sheet === undefined) return { text: "" };
      shared ??= strings === undefined ? [] : readSharedStrings(archive.read(strings), strings);
      dates ??= styles === undefined ? new Set() : readDateStyles(archive.read(styles), styles);
      return { title: sheet.title, text: readSheet(archive.read(sheet.file), sheet.file, { shared, dates, is1904 }) };
    },
    images(index, maxBytes) {
      const drawings = related(archive, sheets[index]?.file ?? "", "drawing", FORMAT).filter((drawing) => archive.has(drawing));
      const files = drawings.flatMap((drawing) => related(archive, drawing, "image", FORMAT));
      return readImages(archive, files, maxBytes);
    },
  };
}

function sheetsOf(archive: ZipArchive, workbook: string, targetOf: (id: string) => string | undefined) {
  const sheets: Sheet[] = [];
  let is1904 = false;
  readXml(archive.read(workbook), FORMAT, workbook, {
    open(tag, attributes) {
      if (tag === "workbookPr") is1904 = ["1", "true"].includes(attribute(attributes, "date1904") ?? "");
      if (tag !== "sheet" || sheets.length >= MAX_PARTS) return;
      const file = targetOf(attributes["r:id"] ?? attribute(attributes, "id") ?? "");
      // Sheets of charts have no cells.
      if (file === undefined || !archive.has(file)) return;
      const state = attribute(attributes, "state");
      const name = attribute(attributes, "name") ?? "";
      sheets.push({ title: state === undefined || state === "visible" ? name : `${name} (hidden)`, file });
    },
  });
  return { sheets, is1904 };
}
