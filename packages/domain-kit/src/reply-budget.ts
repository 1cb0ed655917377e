// Sizes of texts and lists in a reply. Everything goes out inside JSON, so sizes are those of JSON strings.

/** Nothing in such a text is escaped or longer than one byte. */
const PLAIN_ASCII = /^[\u0020\u0021\u0023-\u005b\u005d-\u007e]*$/;
const FIRST_STEP = 16 * 1024;

/** Bytes of a text as a JSON string, with its quotes, in UTF-8. */
export function jsonStringBytes(text: string): number {
  return PLAIN_ASCII.test(text) ? text.length + 2 : Buffer.byteLength(JSON.stringify(text));
}

/** The longest run of items from the first on whose sizes add up to at most `maxBytes`. */
export function takeWithin<T>(items: Iterable<T>, maxBytes: number, sizeOf: (item: T) => number): T[] {
  const taken: T[] = [];
  let left = maxBytes;
  for (const item of items) {
    left -= sizeOf(item);
    if (left < 0) break;
    taken.push(item);
  }
  return taken;
}

/**
 * The start of a text (or its end) that takes at most `maxBytes` inside a JSON string, without the quotes. Ends at a line break where
 * whole lines make up at least half of it, and never splits a surrogate pair.
 */
export function truncateToBytes(text: string, maxBytes: number, keep: "start" | "end" = "start"): string {
  const length = lengthWithin(text, maxBytes, keep);
  if (length === text.length) return text;
  if (keep === "end") {
    const start = text.length - length;
    const line = text.indexOf("\n", start) + 1;
    const isNear = line > 0 && line - start < length / 2;
    return text.slice(isNear ? line : start + (splitsPair(text, start) ? 1 : 0));
  }
  const line = text.lastIndexOf("\n", length - 1);
  return text.slice(0, length > 0 && line > length / 2 ? line : length - (splitsPair(text, length) ? 1 : 0));
}

/** How many UTF-16 units fit. The step is halved whenever it does not fit, so that no more text is measured than fits. */
function lengthWithin(text: string, maxBytes: number, keep: "start" | "end"): number {
  let left = maxBytes;
  let length = 0;
  let step = FIRST_STEP;
  while (step > 0 && length < text.length) {
    const end = text.length - length;
    const part = keep === "end" ? text.slice(Math.max(end - step, 0), end) : text.slice(length, length + step);
    const bytes = jsonStringBytes(part) - 2;
    if (bytes > left) {
      step = Math.floor(step / 2);
      continue;
    }
    left -= bytes;
    length += part.length;
  }
  return length;
}

function splitsPair(text: string, at: number): boolean {
  return at > 0 && /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1));
}
