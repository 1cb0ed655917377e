// Word files (DOCX): the text in paragraphs and tables, cut where Word last began a page, and notes and comments as parts of their own.
import { BoundedText } from "../container/bounded-text.ts";
import { mainFile, relationshipsOf } from "../container/relationships.ts";
import { attribute, EnoughRead, readXml } from "../container/xml.ts";
import { ZipArchive } from "../container/zip-archive.ts";
import type { Document, Part } from "../document.ts";
import { MAX_PARTS } from "../limits.ts";

const FORMAT = "DOCX";
const MAIN = "word/document.xml";
/** Further files with text, by the type of their relationship. */
const EXTRAS: Readonly<Record<string, string>> = { footnotes: "Footnotes", endnotes: "Endnotes", comments: "Comments" };

export function openDocx(bytes: Uint8Array): Document {
  const archive = new ZipArchive(bytes, FORMAT);
  const main = mainFile(archive, FORMAT, MAIN);
  const parts: Part[] = pagesOf(archive, main).map((text) => ({ text }));
  for (const { type, target } of relationshipsOf(archive, main, FORMAT).values()) {
    const title = EXTRAS[type];
    if (title === undefined || !archive.has(target)) continue;
    const text = pagesOf(archive, target).join("\n");
    if (text !== "") parts.push({ title, text });
  }
  const unit = parts.length > 1 ? "page" : "part";
  return { format: "docx", unit, count: parts.length, read: (index) => parts[index] ?? { text: "" } };
}

function pagesOf(archive: ZipArchive, name: string): string[] {
  const reader = new DocxReader();
  readXml(archive.read(name), FORMAT, name, {
    open: (tag, attributes) => reader.open(tag, (wanted) => attribute(attributes, wanted)),
    close: (tag) => reader.close(tag),
    text: (text) => reader.text(text),
  });
  return reader.pages();
}

class DocxReader {
  readonly #pages: BoundedText[] = [new BoundedText()];
  #isText = false;
  #cells = 0;
  #tables = 0;

  get #page(): BoundedText {
    return this.#pages.at(-1) ?? new BoundedText();
  }

  open(tag: string, value: (name: string) => string | undefined): void {
    if (tag === "t") this.#isText = true;
    else if (tag === "tab") this.#page.add("\t");
    else if (tag === "noBreakHyphen") this.#page.add("-");
    else if (tag === "br" || tag === "cr") this.#break(value("type"));
    else if (tag === "lastRenderedPageBreak") this.#break("page");
    else if (tag === "pStyle") this.#page.add(headingMark(value("val") ?? ""));
    else if (tag === "tbl") this.#tables += 1;
    else if (tag === "tr") this.#cells = 0;
    else if (tag === "tc") this.#page.add((this.#cells += 1) > 1 ? " | " : "");
  }

  close(tag: string): void {
    if (tag === "t") this.#isText = false;
    else if (tag === "p") this.#page.add(this.#tables > 0 ? " " : "\n");
    else if (tag === "tr") this.#page.add("\n");
    else if (tag === "tbl") this.#tables -= 1;
  }

  text(text: string): void {
    if (this.#isText) this.#page.add(text);
  }

  pages(): string[] {
    return this.#pages.map(String).filter((text, index) => text !== "" || index === 0);
  }

  #break(type: string | undefined): void {
    if (type !== "page" || this.#tables > 0) return this.#page.add("\n");
    if (this.#pages.length >= MAX_PARTS) throw new EnoughRead();
    this.#pages.push(new BoundedText());
  }
}

/** The ids of these styles in English, German and French Word. */
function headingMark(style: string): string {
  const [, level] = /^(?:heading|berschrift|Titre)([1-6])$/i.exec(style) ?? [];
  return level === undefined ? "" : `${"#".repeat(Number(level))} `;
}
