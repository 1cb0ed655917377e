// Keeps the description of a table within a number of bytes: its texts, its lists and its columns.

export const MAX_ITEMS = 200;
/** Statements may be as long as a file. Each is cut to `MAX_TEXT`; when the budget is used up, to `MIN_TEXT` characters. */
export const MAX_TEXT = 20_000;
const MIN_TEXT = 100;

/** Cuts texts and lists of a description to a budget of characters. */
export class DescriptionBudget {
  isExceeded = false;
  #textLeft: number;
  #listLeft: number;

  constructor(characters: number) {
    this.#textLeft = Math.floor(characters * 0.7);
    this.#listLeft = characters;
  }

  text(text: string): string {
    const limit = Math.max(MIN_TEXT, Math.min(MAX_TEXT, this.#textLeft));
    this.#textLeft -= Math.min(limit, text.length);
    if (text.length <= limit) return text;
    this.isExceeded = true;
    return `${text.slice(0, limit)}…`;
  }

  /** As many items as fit, at most {@link MAX_ITEMS}. */
  list<T>(items: readonly T[], describe: (item: T) => object): object[] {
    const described: object[] = [];
    for (const item of items.slice(0, MAX_ITEMS)) {
      const one = describe(item);
      const bytes = Buffer.byteLength(JSON.stringify(one)) + 1;
      if (bytes > this.#listLeft) break;
      this.#listLeft -= bytes;
      described.push(one);
    }
    if (described.length < items.length) this.isExceeded = true;
    return described;
  }
}

/** A page has at least this much room for columns, whatever else it shows, unless it is one of several small ones. */
const MIN_COLUMN_BYTES = 10_000;
const MIN_COLUMN_SHARE = 1 / 4;

/** The columns that fit, and the index of the first one that does not. */
export function pageOfColumns(
  columns: readonly object[],
  { first, maxBytes, otherBytes = 0 }: { first: number; maxBytes: number; otherBytes?: number },
): { columns: readonly object[]; next?: number } {
  let left = Math.max(Math.min(MIN_COLUMN_BYTES, maxBytes * MIN_COLUMN_SHARE), maxBytes - otherBytes);
  let end = first;
  for (const column of columns.slice(first)) {
    left -= Buffer.byteLength(JSON.stringify(column)) + 1;
    if (left < 0 && end > first) break;
    end += 1;
  }
  return { columns: columns.slice(first, end), ...(end < columns.length && { next: end }) };
}
