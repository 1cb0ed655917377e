// Converts the line endings of a text to one kind. Edits keep the ending of each line, so only a conversion changes them.

export type LineEndingTarget = "lf" | "crlf";

export interface Converted {
  readonly text: string;
  /** Line endings that were of another kind. */
  readonly count: number;
}

export function convertLineEndings(text: string, target: LineEndingTarget): Converted {
  const wanted = target === "lf" ? "\n" : "\r\n";
  let count = 0;
  // A file of classic Mac OS has carriage returns only. Several of them before a newline come from a conversion that was made twice.
  const converted = text.replace(text.includes("\n") ? /\r*\n/g : /\r/g, (ending) => {
    if (ending !== wanted) count += 1;
    return wanted;
  });
  return { text: converted, count };
}

/** A text in the line endings of another one. */
export function inLineEndingsOf(text: string, part: string): string {
  const lf = part.replaceAll("\r\n", "\n");
  const newline = text.indexOf("\n");
  return newline > 0 && text[newline - 1] === "\r" ? lf.replaceAll("\n", "\r\n") : lf;
}
