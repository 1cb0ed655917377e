// Cuts a text to what one reply holds.
import { wireBytes } from "./json-size.ts";

const NOTICE = "\n[truncated: there is more]\n";

/** The text, or as much of its beginning as weighs `most` bytes in JSON, and a word about it. */
export function fitted(text: string, most: number): string {
  let weight = wireBytes(text);
  if (weight <= most) return text;
  let cut = text;
  const room = most - NOTICE.length - 2;
  while (weight > room && cut.length > 1) {
    cut = cut.slice(0, Math.max(1, Math.floor(cut.length * Math.min(0.9, room / weight))));
    weight = wireBytes(cut);
  }
  return cut.slice(0, cut.lastIndexOf("\n") + 1 || cut.length) + NOTICE;
}
