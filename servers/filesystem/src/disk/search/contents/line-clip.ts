// Long lines and matches of many lines, cut to what is shown of them.

const MAX_LINE_LENGTH = 300;
/** Characters that are shown before a hit. */
const LEAD = 100;
/** Of all lines of a match together: one match always has to fit into a page. */
const MAX_MATCH_LENGTH = 1000;
/** Lines of a match that are shown, the first one among them. */
export const MAX_MATCH_LINES = 20;

/** The part of a long line around the place `at`. */
export function clipLine(text: string, at: number): string {
  if (text.length <= MAX_LINE_LENGTH) return text;
  const start = Math.max(0, Math.min(at - LEAD, text.length - MAX_LINE_LENGTH));
  const part = text.slice(start, start + MAX_LINE_LENGTH);
  // Half a surrogate pair at either end would not be well-formed text.
  const wellFormed = part.replace(/^[\udc00-\udfff]/, "").replace(/[\ud800-\udbff]$/, "");
  return `${start > 0 ? "…" : ""}${wellFormed}${start + MAX_LINE_LENGTH < text.length ? "…" : ""}`;
}

/** The shown lines of a match that has `total` lines, as one text. */
export function joinLines(lines: readonly string[], total: number): string {
  const text = [...lines, ...(total > lines.length ? ["…"] : [])].join("\n");
  return text.length <= MAX_MATCH_LENGTH ? text : `${text.slice(0, MAX_MATCH_LENGTH).replace(/[\ud800-\udbff]$/, "")}…`;
}
