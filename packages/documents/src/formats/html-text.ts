// The text of HTML: blocks on lines of their own, headings and items marked as in Markdown, cells divided by bars.
import { Parser } from "htmlparser2";
import { BoundedText } from "../container/bounded-text.ts";
import { EnoughRead } from "../container/xml.ts";

const SKIPPED = new Set(["script", "style", "noscript", "template", "svg", "math", "iframe", "object", "select", "head", "title"]);
const BLOCKS = new Set(
  "address article aside blockquote body caption dd details dialog div dl dt fieldset figcaption figure footer form header hr legend main nav p section summary table tr ul ol".split(
    " ",
  ),
);

export interface HtmlText {
  readonly title: string | undefined;
  readonly text: string;
}

export function htmlText(source: string): HtmlText {
  const reader = new HtmlReader();
  const parser = new Parser(reader, { lowerCaseTags: true, decodeEntities: true });
  try {
    parser.end(source);
  } catch (error) {
    if (!(error instanceof EnoughRead)) throw error;
  }
  return reader.result();
}

/** The addresses of the images of a page, drawings of SVG that hold one included. */
export function imageSources(source: string): string[] {
  const found: string[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      const address = name === "img" ? attributes["src"] : name === "image" ? (attributes["xlink:href"] ?? attributes["href"]) : undefined;
      if (address !== undefined) found.push(address);
    },
  });
  parser.end(source);
  return found;
}

class HtmlReader {
  readonly #text = new BoundedText();
  #title = "";
  #isTitle = false;
  /** Elements that are open from the outermost skipped one on. */
  #skipped: string[] = [];
  #preformatted = 0;
  #cells = 0;
  #isLineBegun = false;
  #hasBlank = false;

  onopentag(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === "title" && this.#title === "") this.#isTitle = true;
    if (this.#skipped.length > 0 || SKIPPED.has(name)) return void this.#skipped.push(name);
    const [, level] = /^h([1-6])$/.exec(name) ?? [];
    if (level !== undefined) this.#beginLine(`${"#".repeat(Number(level))} `, true);
    else if (name === "li") this.#beginLine("- ");
    else if (name === "br") this.#endLine();
    else if (name === "img") this.#add(attributes["alt"] ?? "");
    else if (name === "td" || name === "th") this.#add((this.#cells += 1) > 1 ? " | " : "");
    else if (BLOCKS.has(name) || name === "pre") this.#beginLine("", name === "p" || name === "pre");
    if (name === "tr") this.#cells = 0;
    if (name === "pre") this.#preformatted += 1;
  }

  onclosetag(name: string): void {
    if (name === "title") this.#isTitle = false;
    if (this.#skipped.length > 0) return void this.#skipped.pop();
    if (name === "pre") this.#preformatted -= 1;
    if (BLOCKS.has(name) || name === "pre" || name === "li" || /^h[1-6]$/.test(name)) this.#endLine();
  }

  ontext(text: string): void {
    if (this.#isTitle) this.#title = (this.#title + text).slice(0, 1000);
    if (this.#skipped.length > 0) return;
    if (this.#preformatted > 0) {
      this.#text.add(text);
      this.#isLineBegun = !text.endsWith("\n");
    } else this.#add(text);
  }

  result(): HtmlText {
    const title = this.#title.replaceAll(/\s+/g, " ").trim();
    return { title: title === "" ? undefined : title, text: this.#text.toString() };
  }

  /** White space counts as one blank, and as none at the begin of a line. */
  #add(text: string): void {
    const words = text.replaceAll(/\s+/g, " ");
    const added = this.#isLineBegun && !this.#hasBlank ? words : words.trimStart();
    if (added === "") return;
    this.#text.add(added);
    this.#isLineBegun = true;
    this.#hasBlank = added.endsWith(" ");
  }

  #beginLine(mark: string, isApart = false): void {
    this.#endLine();
    if (isApart) this.#text.add("\n");
    if (mark === "") return;
    this.#text.add(mark);
    this.#isLineBegun = true;
    this.#hasBlank = true;
  }

  #endLine(): void {
    if (this.#isLineBegun) this.#text.add("\n");
    this.#isLineBegun = false;
    this.#hasBlank = false;
  }
}
