// Documents in archives, written by the tests from their parts.
import { strToU8, zipSync } from "fflate";

/** An archive of texts by their names. */
export const archiveOf = (files: Readonly<Record<string, string | Uint8Array>>): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    zipSync(
      Object.fromEntries(Object.entries(files).map(([name, content]) => [name, typeof content === "string" ? strToU8(content) : content])),
    ),
  );

/** `targets`: by type. */
export const relationships = (targets: Readonly<Record<string, string>>): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${Object.entries(targets)
    .map(
      ([type, target], at) =>
        `<Relationship Id="rId${at + 1}" Type="http://example.com/relationships/${type.replace(/\d+$/, "")}" Target="${target}"/>`,
    )
    .join("")}</Relationships>`;

export const docxOf = (body: string, more: Readonly<Record<string, string | Uint8Array>> = {}): Uint8Array<ArrayBuffer> =>
  archiveOf({
    "[Content_Types].xml": "<Types/>",
    "_rels/.rels": relationships({ officeDocument: "word/document.xml" }),
    "word/document.xml": `<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`,
    ...more,
  });

export const paragraph = (text: string, style = ""): string =>
  `<w:p>${style === "" ? "" : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

/** Sheets by name, as the XML of their rows. */
export const xlsxOf = (
  sheets: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string | Uint8Array>> = {},
): Uint8Array<ArrayBuffer> => {
  const names = Object.keys(sheets);
  return archiveOf({
    "xl/workbook.xml": `<workbook xmlns:r="r"><sheets>${names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relationships({
      ...Object.fromEntries(names.map((_, at) => [`worksheet${at + 1}`, `worksheets/sheet${at + 1}.xml`])),
      ...(more["xl/sharedStrings.xml"] !== undefined && { sharedStrings: "sharedStrings.xml" }),
      ...(more["xl/styles.xml"] !== undefined && { styles: "/xl/styles.xml" }),
    }),
    ...Object.fromEntries(
      names.map((name, at) => [`xl/worksheets/sheet${at + 1}.xml`, `<worksheet><sheetData>${sheets[name]}</sheetData></worksheet>`]),
    ),
    ...more,
  });
};

/** Slides as the XML of their paragraphs. */
export const pptxOf = (slides: readonly string[], more: Readonly<Record<string, string | Uint8Array>> = {}): Uint8Array<ArrayBuffer> =>
  archiveOf({
    "ppt/presentation.xml": `<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst>${slides.map((_, at) => `<p:sldId id="${256 + at}" r:id="rId${at + 1}"/>`).join("")}</p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": relationships(
      Object.fromEntries(slides.map((_, at) => [`slide${at + 1}`, `slides/slide${at + 1}.xml`])),
    ),
    ...Object.fromEntries(
      slides.map((slide, at) => [`ppt/slides/slide${at + 1}.xml`, `<p:sld xmlns:p="p" xmlns:a="a"><p:txBody>${slide}</p:txBody></p:sld>`]),
    ),
    ...more,
  });

/** Chapters by file name, as the body of their pages. */
export const epubOf = (
  chapters: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string | Uint8Array>> = {},
): Uint8Array<ArrayBuffer> => {
  const names = Object.keys(chapters);
  return archiveOf({
    mimetype: "application/epub+zip",
    "META-INF/container.xml": '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
    "OPS/book.opf": `<package xmlns:dc="dc"><metadata><dc:title>A Book</dc:title></metadata><manifest>${names.map((name) => `<item id="${name}" href="${encodeURIComponent(name)}"/>`).join("")}</manifest><spine>${names.map((name) => `<itemref idref="${name}"/>`).join("")}</spine></package>`,
    ...Object.fromEntries(
      names.map((name) => [`OPS/${name}`, `<!DOCTYPE html><html><head><title>${name}</title></head><body>${chapters[name]}</body></html>`]),
    ),
    ...more,
  });
};
