// Names from the command line as the command prints them.

// Control characters (C0, DEL, C1), line separators, and marks that change the direction of the text.
// oxlint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

export const hasUnsafeCharacters = (text: string): boolean => text.search(UNSAFE) !== -1;

/** A sentence with names in it, on one line: what they hold neither ends the line nor controls the terminal. */
export const printable = (sentence: string): string => sentence.replaceAll(UNSAFE, escapeCharacter);

/** As JavaScript and `$'…'` of a shell read it. */
const escapeCharacter = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
