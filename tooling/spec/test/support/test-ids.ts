/**
 * The ids that tests name, read from their sources. A bare id is a row of the ledger. The cases of the security rules have
 * ids of the same form; where a prefix is the same in both lists, a case is written with the word before it: `case HTTP-05`.
 */
import { literalsOf, type Sources } from "../../../checks/src/sources.ts";

/** An id that a test names. */
export interface Mention {
  readonly id: string;
  readonly file: string;
}

const ID = /(?<!case )(?<![A-Za-z0-9-])[A-Z]+(?:-[A-Z]+)*-\d\d(?![0-9A-Za-z])/g;

/** The ids with one of these prefixes in a text; what stands behind the word "case" is left out. */
export function idsIn(text: string, prefixes: ReadonlySet<string>): string[] {
  return [...new Set(text.match(ID))].filter((id) => prefixes.has(prefixOf(id)));
}

export const prefixOf = (id: string): string => id.slice(0, -3);

/** What a test file says: the strings and templates of a program, the prose at the head of a conversation. */
function titlesOf(file: string, text: string): readonly string[] {
  if (file.endsWith(".mcp")) {
    const lines = text.split("\n");
    return lines.slice(
      0,
      lines.findIndex((line) => !line.startsWith("#")),
    );
  }
  try {
    return literalsOf(text);
  } catch (error) {
    throw new SyntaxError(`${file} cannot be read`, { cause: error });
  }
}

/** Every id that the files name, once for each file. Files without any are not parsed. */
export function mentionsIn(sources: Sources, prefixes: ReadonlySet<string>): Mention[] {
  return Object.entries(sources)
    .filter(([, text]) => idsIn(text, prefixes).length > 0)
    .flatMap(([file, text]) => idsIn(titlesOf(file, text).join("\n"), prefixes).map((id) => ({ id, file })));
}
