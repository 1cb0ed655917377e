// Word files (DOCX): the text in paragraphs and tables, cut where Word last began a page, and notes and comments as parts of their own.
import { BoundedText } from "../container/bounded-text.ts";
import { mainFile, relationshipsOf } from "../container/relationships.ts";
import { attribute, EnoughRead, readXml } from "../container/xml.ts";
import { ZipArchive } from "../container/zip-archive.ts";
import type { Document, Part } from "../document.ts";
import { readImages } from "../images/archive-images.ts";
import { MAX_PARTS } from "../limits.ts";

const FORMAT = "DOCX";
const MAIN = "word/document.xml";
/** Further files with text, by the type of their relationship. */
const EXTRAS: Readonly<Record<string, string>> = { footnotes: "Footnotes", endnotes: "Endnotes", comments: "Comments" };

export function openDocx(bytes: Uint8Array): Document {
  const archive = new ZipArchive(bytes, FORMAT);
  const main = mainFile(archive, FORMAT, MAIN);
  const pages = pagesOf(archive, main);
  const parts: Part[] = pages.map(({ text }) => ({ text: String(text) }));
  const relationships = relationshipsOf(archive, main, FORMAT);
  for (const { type, target } of relationships.values()) {
    const title = EXTRAS[type];
    if (title === undefined || !archive.has(target)) continue;
    const text = pagesOf(archive, target)
      .map((page) => page.text)
      .join("\n");
    if (text !== "") parts.push({ title, text });
  }
  const unit = parts.length > 1 ? "page" : "part";
  return {
    format: "docx",
    unit,
    count: parts.length,
    read: (index) => parts[index] ?? { text: "" },
    images(index, maxBytes) {
      const files = (pages[index]?.images ?? []).flatMap((id) => relationships.get(id)?.target ?? []);
      return readImages(archive, files, maxBytes);
    },
  };
}

interface Page {
  readonly text: BoundedText;
  /** The ids of the relationships that name them. */
  readonly images: string[];
}

const newPage = (): Page => ({ text: new BoundedText(), images: [] });

function pagesOf(archive: ZipArchive, name: string): Page[] {
  const reader = new DocxReader();
  readXml(archive.read(name), FORMAT, name, {
    open: (tag, attributes) => reader.open(tag, (wanted) => attribute(attributes, wanted)),
    close: (tag) => reader.close(tag),
    text: (text) => reader.text(text),
  });
  return reader.pages();
}

class DocxReader {
  readonly #pages: Page[] = [newPage()];
  #isText = false;
  #cells = 0;
  #tables = 0;

  get #page(): Page {
    return this.#pages.at(-1) ?? newPage();
  }

  get #text(): BoundedText {
    return this.#page.text;
  }

  open(tag: string, value: (name: string) => string | undefined): void {
    if (tag === "t") this.#isText = true;
    else if (tag === "tab") this.#text.add("\t");
    else if (tag === "noBreakHyphen") this.#text.add("-");
    else if (tag === "br" || tag === "cr") this.#break(value("type"));
    else if (tag === "lastRenderedPageBreak") this.#break("page");
    else if (tag === "pStyle") this.#text.add(headingMark(value("val") ?? ""));
    else if (tag === "blip") this.#image(value("embed"));
    else if (tag === "imagedata") this.#image(value("id")); // of Word before 2007
    else if (tag === "tbl") this.#tables += 1;
    else if (tag === "tr") this.#cells = 0;
    else if (tag === "tc") this.#text.add((this.#cells += 1) > 1 ? " | " : "");
  }

  close(tag: string): void {
    if (tag === "t") this.#isText = false;
    else if (tag === "p") this.#text.add(this.#tables > 0 ? " " : "\n");
    else if (tag === "tr") this.#text.add("\n");
    else if (tag === "tbl") this.#tables -= 1;
  }

  text(text: string): void {
    if (this.#isText) this.#text.add(text);
  }

  pages(): Page[] {
    return this.#pages.filter(({ text, images }, index) => index === 0 || images.length > 0 || String(text) !== "");
  }

  #image(id: string | undefined): void {
    if (id !== undefined) this.#page.images.push(id);
  }

  #break(type: string | undefined): void {
    if (type !== "page" || this.#tables > 0) return this.#text.add("\n");
    if (this.#pages.length >= MAX_PARTS) throw new EnoughRead();
    this.#pages.push(newPage());
  }
}

/** The ids of these styles in English, German and French Word. */
function headingMark(style: string): string {
  const [, level] = /^(?:heading|berschrift|Titre)([1-6])$/i.exec(style) ?? [];
  return level === undefined ? "" : `${"#".repeat(Number(level))} `;
}
