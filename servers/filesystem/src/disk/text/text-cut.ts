// A text cut to what it may weigh in a reply, where its characters take more there than they do in the file.
import { wireBytes } from "./reply-size.ts";

const STRETCH = 16 * 1024;

/** The beginning of a text, or its end, that weighs at most so much; whole lines where they are at least half of that. */
export function cutText(text: string, most: number, fromEnd: boolean): string {
  const length = fitting(text, most, fromEnd);
  if (length === text.length) return text;
  if (fromEnd) {
    const start = text.length - length;
    const line = text.indexOf("\n", start) + 1;
    return text.slice(line > 0 && line - start < length / 2 ? line : start + (isMiddle(text, start) ? 1 : 0));
  }
  const line = text.lastIndexOf("\n", length - 1);
  return text.slice(0, length > 0 && line > length / 2 ? line : length - (isMiddle(text, length) ? 1 : 0));
}

/** How many units of the text have room. What is weighed is halved where it is too heavy, so that no more is weighed than fits. */
function fitting(text: string, most: number, fromEnd: boolean): number {
  let free = most;
  let length = 0;
  let stretch = STRETCH;
  while (stretch > 0 && length < text.length) {
    const [from, to] = fromEnd ? [text.length - length - stretch, text.length - length] : [length, length + stretch];
    const part = text.slice(Math.max(from, 0), to);
    const bytes = wireBytes(part) - 2;
    if (bytes > free) {
      stretch = Math.floor(stretch / 2);
      continue;
    }
    free -= bytes;
    length += part.length;
  }
  return length;
}

/** Between the halves of a surrogate pair. */
const isMiddle = (text: string, at: number): boolean => at > 0 && /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1));
