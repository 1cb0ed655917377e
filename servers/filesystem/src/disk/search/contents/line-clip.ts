// What is shown of a long line, and of a match of many lines.

const CLIP = 300;
const LEAD = 100;
/** Of all lines of one match together: one match always has to fit into a page. */
const MOST = 1000;

/** The part of a long line that is shown, around the place `at`. */
export function clipped(text: string, at: number): string {
  if (text.length <= CLIP) return text;
  const start = Math.max(0, Math.min(at - LEAD, text.length - CLIP));
  const part = text.slice(start, start + CLIP);
  // Half a character at either end would not be well-formed text.
  const whole = part.replace(/^[\udc00-\udfff]/, "").replace(/[\ud800-\udbff]$/, "");
  return `${start > 0 ? "…" : ""}${whole}${start + CLIP < text.length ? "…" : ""}`;
}

/** `lines` of a match that has `all`, as one text. */
export function joined(lines: readonly string[], all: number): string {
  const text = [...lines, ...(all > lines.length ? ["…"] : [])].join("\n");
  return text.length <= MOST ? text : `${text.slice(0, MOST).replace(/[\ud800-\udbff]$/, "")}…`;
}
