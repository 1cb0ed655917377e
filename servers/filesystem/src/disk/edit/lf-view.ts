// A view of a text with LF instead of CRLF, for matching, and the mapping back to the text.

export interface LfView {
  readonly text: string;
  /** The index in the text itself; before the CR where the view has the newline of a CRLF. */
  at(index: number): number;
}

export function toLf(text: string): string {
  return text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text;
}

export function lfView(original: string): LfView {
  const text = toLf(original);
  if (text === original) return { text, at: (index) => index };
  const pairs: number[] = []; // indexes in the view where the newline was a CRLF
  for (let at = original.indexOf("\r\n"); at !== -1; at = original.indexOf("\r\n", at + 2)) pairs.push(at - pairs.length);
  return { text, at: (index) => index + countBelow(pairs, index) };
}

function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The number of the line with this index, from 1. */
export function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < index; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}
