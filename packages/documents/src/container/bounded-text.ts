// A text that grows up to a bound, so that a part of a document cannot fill the memory.
import { MAX_PART_CHARS } from "../limits.ts";
import { EnoughRead } from "./xml.ts";

const CUT_NOTICE = `\n[the text of this part is cut after ${MAX_PART_CHARS.toLocaleString("en")} characters]`;

export class BoundedText {
  readonly #pieces: string[] = [];
  #length = 0;
  #last = "";

  /** Throws an {@link EnoughRead} once the bound is reached. */
  add(text: string): void {
    if (text === "") return;
    this.#pieces.push(text);
    this.#length += text.length;
    this.#last = text;
    if (this.#length <= MAX_PART_CHARS) return;
    this.#pieces.push(CUT_NOTICE);
    throw new EnoughRead();
  }

  /** Ends the line that is begun. */
  endLine(): void {
    if (this.#length > 0 && !this.#last.endsWith("\n")) this.add("\n");
  }

  /** Without blank lines at both ends, and never more than one in a row. */
  toString(): string {
    return this.#pieces
      .join("")
      .split("\n")
      .map((line) => line.trimEnd())
      .join("\n")
      .replaceAll(/\n{3,}/g, "\n\n")
      .replace(/^\n+/, "")
      .trimEnd();
  }
}
