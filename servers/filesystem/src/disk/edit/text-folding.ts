// Folds what models often write otherwise than a file has it: quotes, dashes, blanks, escapes, composed accents and capitals. Folded texts
// serve to find the place that an edit means, and never to apply it.

export const FOLDED = ["quotes", "dashes", "blanks", "escapes", "accents", "capitals"] as const;
export type Folded = (typeof FOLDED)[number];

const TOKEN = /\\u[0-9a-f]{4}|\\[nrt"'`\\/$]|&(?:lt|gt|amp|quot|apos|nbsp|#\d{1,5});|[^]\p{M}{0,30}/giu;
const QUOTES = /[‘’‚‛′´`“”„‟″«»"]/gu;
const DASHES = /[\u2010-\u2015\u2212]/gu;
const DASH = 0x2d;
const BLANKS = /[\s\p{Cf}]+/gu;
const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'", nbsp: " " };
/** Has neither escapes nor characters beyond ASCII. */
const PLAIN = /^[^\\&\u0080-\uffff]*$/;
/**
 * Has to be folded character by character: escapes, letters whose form depends on those beside them (sigma, the parts of Hangul), and more
 * accents in a row than can be sorted in bounded time.
 */
const INVOLVED = /[\\&\u03a3\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]|\p{M}{31}/u;

export interface MappedText {
  readonly text: string;
  /** For each of its characters the index in the text that was folded. */
  readonly indexes: readonly number[];
}

/** `except`: differences of this kind stay. */
export function fold(text: string, except?: Folded): string {
  if (except === undefined && PLAIN.test(text)) return text.replace(/\s+/g, "").replace(/["`]/g, "'").replace(/-{2,}/g, "-").toLowerCase();
  if (except === undefined && !INVOLVED.test(text)) return foldToken(text, undefined).replace(/-{2,}/g, "-");
  return foldMapped(text, except).text;
}

export function foldMapped(text: string, except?: Folded): MappedText {
  if (except === undefined && PLAIN.test(text)) return { text: fold(text), indexes: plainIndexes(text) };
  let folded = "";
  const indexes: number[] = [];
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const single = except === undefined && token.length === 1;
    for (const character of single ? foldUnit(token) : foldToken(token, except)) {
      // Two dashes are often one long dash.
      if (character === "-" && folded.endsWith("-") && except !== "dashes") continue;
      folded += character;
      for (let unit = 0; unit < character.length; unit += 1) indexes.push(index);
    }
  }
  return { text: folded, indexes };
}

/** Where the characters are that stay when a plain text is folded. */
function plainIndexes(text: string): number[] {
  const indexes: number[] = [];
  let isDash = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    // Tab to carriage return, and the space, are blanks.
    if (code === 0x20 || (code >= 9 && code <= 13) || (isDash && code === DASH)) continue;
    isDash = code === DASH;
    indexes.push(index);
  }
  return indexes;
}

const foldedUnits = new Map<string, string>();

/** Folded once: a text has the same few characters again and again. */
function foldUnit(unit: string): string {
  const known = foldedUnits.get(unit);
  if (known !== undefined) return known;
  const folded = foldToken(unit, undefined);
  foldedUnits.set(unit, folded);
  return folded;
}

function foldToken(token: string, except: Folded | undefined): string {
  let text = except === "escapes" ? token : unescaped(token);
  if (except !== "accents") text = text.normalize("NFC");
  if (except !== "quotes") text = text.replace(QUOTES, "'");
  if (except !== "dashes") text = text.replace(DASHES, "-");
  if (except !== "blanks") text = text.replace(BLANKS, "");
  return except === "capitals" ? text : text.toLowerCase();
}

/** The character that an escape of JSON, JavaScript or HTML stands for. */
function unescaped(token: string): string {
  if (token.length < 2) return token;
  if (token.startsWith("\\u") && token.length === 6) return String.fromCharCode(Number.parseInt(token.slice(2), 16));
  if (token.startsWith("\\")) return { n: "\n", r: "\r", t: "\t" }[token.slice(1)] ?? token.slice(1);
  if (!token.startsWith("&")) return token;
  const name = token.slice(1, -1).toLowerCase();
  return name.startsWith("#") ? String.fromCodePoint(Math.min(Number(name.slice(1)), 0x10ffff)) : (ENTITIES[name] ?? token);
}

/** The text without escapes: for an edit that was escaped once too often. */
export const withoutEscapes = (text: string): string => text.replace(TOKEN, unescaped);
