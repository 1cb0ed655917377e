// windows-1252: Latin-1 with letters and quotes for the bytes 0x80 to 0x9f. Five of these have none and stay as they are, as in the
// WHATWG encoding, so every byte is a character.

const FROM = 0x80;
const LETTERS = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";
const BYTES = new Map(Array.from(LETTERS, (letter, index) => [letter, FROM + index]));

export function decodeWindows1252(bytes: Buffer): string {
  return bytes.toString("latin1").replace(/[\u0080-\u009f]/g, (byte) => LETTERS[byte.charCodeAt(0) - FROM] ?? byte);
}

/** The bytes, or the first character that has none. */
export function encodeWindows1252(text: string): Buffer | { readonly foreign: string } {
  let foreign: string | undefined;
  // eslint-disable-next-line no-control-regex
  const bytes = text.replace(/[^\u0000-\u007f\u00a0-\u00ff]/gu, (letter) => {
    const byte = BYTES.get(letter);
    if (byte === undefined) foreign ??= letter;
    return String.fromCharCode(byte ?? 0);
  });
  return foreign === undefined ? Buffer.from(bytes, "latin1") : { foreign };
}
