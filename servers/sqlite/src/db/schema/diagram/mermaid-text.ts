// Names and texts from a schema in the syntax of Mermaid's erDiagram: https://mermaid.js.org/syntax/entityRelationshipDiagram.html
// A file may hold any names, so whatever has a meaning in a diagram is written as a character code, which Mermaid shows as the character.
import { truncateText } from "@oarlock/domain-kit";

const MAX_NAME = 120;
const MAX_COMMENT = 200;

/** Words of the syntax, which are names only in quotes. */
const RESERVED = new Set(
  "accdescr acctitle class classdef direction end erdiagram many one only optionally style subgraph title to u zero".split(" "),
);

/** Ends a text, begins a directive, a code or markup, or changes how the text is shown. */
const SPECIAL = /["%\\#<>&~`\p{Cc}\p{Cf}\u2028\u2029]/gu;

const codeOf = (character: string): string => `#${character.codePointAt(0)};`;

/** A text in quotes. Mermaid takes `direction TB` for a setting, quotes or not. */
export function quotedText(text: string): string {
  const escaped = text.replace(SPECIAL, codeOf).replace(/(?<=direction)\s/gi, codeOf);
  return `"${escaped}"`;
}

/** Texts beside a column. */
export const commentOf = (notes: readonly string[]): string =>
  notes.length === 0 ? "" : ` ${quotedText(truncateText(notes.join("; "), MAX_COMMENT))}`;

/** The type or name of a column as a word. A word that begins with PK, FK or UK would be read as that key. */
export function attributeWord(text: string): string {
  const word = truncateText(text, MAX_NAME).replace(/[^A-Za-z0-9_()\u00c0-\ud7ff\uf900-\uffef]|[^\p{L}\p{N}_()]/gu, "_");
  return /^(?![A-Za-z_\u00c0-\uffff])|^[pfu]k(?!\w)/i.test(word) ? `_${word}` : word;
}

/** Gives each table its name in the diagram; long names that would become equal get numbers. */
export class EntityNames {
  readonly #byTable = new Map<string, string>();
  readonly #taken = new Set<string>();

  of(table: string): string {
    const known = this.#byTable.get(table);
    if (known !== undefined) return known;
    const short = table === "" ? "(empty name)" : truncateText(table, MAX_NAME);
    let name = short;
    for (let number = 2; this.#taken.has(name); number += 1) name = `${short} (${number})`;
    this.#taken.add(name);
    const isPlain = /^[A-Za-z_]\w*$/.test(name) && !RESERVED.has(name.toLowerCase());
    const written = isPlain ? name : quotedText(name);
    this.#byTable.set(table, written);
    return written;
  }
}
