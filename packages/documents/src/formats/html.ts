// HTML files: one part. The encoding is that of the byte order mark or of the page, and UTF-8 otherwise.
import type { Document } from "../document.ts";
import { htmlText } from "./html-text.ts";

const HEAD_BYTES = 4096;

export function openHtml(bytes: Uint8Array): Document {
  const { title, text } = htmlText(decodeHtml(bytes));
  return { format: "html", unit: "part", title, count: 1, read: () => ({ text }) };
}

export function decodeHtml(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString("latin1");
  const [, named = "utf-8"] = /(?:charset|encoding)\s*=\s*["']?\s*([\w-]{2,40})/i.exec(head) ?? [];
  try {
    // A page that can be read so far is not UTF-16, whatever it says: https://encoding.spec.whatwg.org
    return named.toLowerCase().startsWith("utf-16") ? "utf-8" : new TextDecoder(named).encoding;
  } catch {
    return "utf-8"; // a name that is unknown
  }
}
