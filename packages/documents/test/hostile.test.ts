// Documents that are broken, encrypted, or made to fill the memory.
import { deflateSync } from "node:zlib";
import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { MAX_ENTRY_BYTES } from "../src/limits.ts";
import { extractText } from "../src/text-extraction.ts";
import { archiveOf, docxOf, epubOf, paragraph, xlsxOf } from "./support/archives.ts";
import { pdfOf } from "./support/pdf.ts";

const refusalOf = async (bytes: Uint8Array): Promise<string> =>
  extractText(bytes).then(
    (text) => `read: ${JSON.stringify(text).slice(0, 200)}`,
    (error: Error & { code?: string }) => `${error.name} ${error.code}: ${error.message}`,
  );

const ENTITIES = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>';

/** Changes each place of the bytes `from`. */
function patched(bytes: Uint8Array, from: readonly number[], to: readonly number[]): Uint8Array {
  const copy = Buffer.from(bytes);
  for (let at = copy.indexOf(Buffer.from(from)); at !== -1; at = copy.indexOf(Buffer.from(from), at + 1)) copy.set(to, at);
  return copy;
}

const littleEndian = (size: number): number[] => [size & 255, (size >> 8) & 255, (size >> 16) & 255, (size >>> 24) & 255];

test("refuses an archive whose entry unpacks to more than is permitted", async () => {
  // What it says is enough: nothing is unpacked.
  const bomb = archiveOf({ "word/document.xml": "0".repeat(12_345) });
  expect(await refusalOf(patched(bomb, littleEndian(12_345), littleEndian(MAX_ENTRY_BYTES + 1)))).toMatch(
    /^DocumentError too-large: Document too large: word\/document\.xml in it would unpack to 67108865 bytes/,
  );
});

test("refuses an entry that is longer than its archive says", async () => {
  const body = paragraph("x".repeat(5000));
  const honest = docxOf(body);
  const size = `<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`.length;
  expect(await refusalOf(patched(honest, littleEndian(size), littleEndian(2000)))).toMatch(/^DocumentError broken: Broken DOCX file: /);
});

test("refuses more entries than are permitted, whatever the archive says of their number", async () => {
  const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`word/${at}`, strToU8("")]));
  expect(await refusalOf(zipSync(many, { level: 0 }))).toMatch(/^DocumentError too-large: .*10000 files/);
  const end = Buffer.from(docxOf(""));
  end.set([255, 255], end.length - 22 + 8);
  expect(await refusalOf(end)).toMatch(/^DocumentError (broken|too-large): /);
});

test.each([
  ["DOCX", docxOf("", { "word/document.xml": `${ENTITIES}<w:document><w:t>&b;</w:t></w:document>` })],
  ["XLSX", xlsxOf({ A: "" }, { "xl/worksheets/sheet1.xml": `${ENTITIES}<worksheet/>` })],
  ["EPUB", epubOf({ "a.xhtml": "" }, { "OPS/a.xhtml": `${ENTITIES}<html><p>&b;</p></html>` })],
])("refuses entities that a %s file declares", async (format, bytes) => {
  expect(await refusalOf(bytes)).toMatch(
    new RegExp(`^DocumentError broken: Broken ${format} file: .* declares entities, which are not expanded\\.$`),
  );
});

test("refuses elements of XML that are nested too deep", async () => {
  const nested = "<w:p>".repeat(5000) + "</w:p>".repeat(5000);
  expect(await refusalOf(docxOf(nested))).toMatch(/^DocumentError too-large: Document too deep/);
  // A page that leaves its elements open is read.
  expect(await refusalOf(Buffer.from(`<html>${"<font>".repeat(5000)}text`))).toContain("text");
});

test.each([
  ["an empty file", Buffer.alloc(0), /^DocumentError unknown-format: /],
  ["a text", Buffer.from("plain text"), /^DocumentError unknown-format: /],
  ["an archive of something else", archiveOf({ a: "b" }), /^DocumentError unknown-format: Format not supported: a ZIP archive/],
  [
    "an old Word file",
    Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
    /^DocumentError unknown-format: .*older or encrypted/,
  ],
  ["half an archive", docxOf(paragraph("x")).slice(0, 300), /^DocumentError broken: /],
  ["a PDF of its first line only", Buffer.from("%PDF-1.7\n"), /^DocumentError broken: Broken PDF file: /],
  [
    "XML that ends in the middle",
    docxOf("", { "word/document.xml": "<w:document><w:body><w:p>" }),
    /^DocumentError broken: .* ends in the middle/,
  ],
  ["an EPUB without chapters", epubOf({}), /^DocumentError broken: .* has no chapters/],
  [
    "a protected EPUB",
    epubOf({ "a.xhtml": "x" }, { "META-INF/encryption.xml": '<encryption><CipherReference URI="OPS/a.xhtml"/></encryption>' }),
    /^DocumentError encrypted: /,
  ],
])("refuses %s", async (_, bytes, message) => {
  expect(await refusalOf(bytes)).toMatch(message);
});

test("pads a row with at most as many tabs as a sheet has columns", async () => {
  const row = '<row r="1"><c r="ZZZ1"><v>1</v></c></row>';
  const { parts } = await extractText(xlsxOf({ A: row }));
  expect(parts[0]?.text.length).toBeLessThan(20_000);
});

test("reads a damaged PDF as far as it goes", async () => {
  const damaged = Buffer.from(pdfOf(["Hello"]));
  damaged.write("xxxx", damaged.lastIndexOf("xref"));
  expect(await refusalOf(damaged)).toContain("Hello");
});

test("reads a PDF whose content is packed", async () => {
  const content = deflateSync(Buffer.from("BT /F1 12 Tf 20 200 Td (Packed) Tj ET"));
  expect((await extractText(pdfOf(["-"], { content }))).parts[0]?.text).toBe("Packed");
});
