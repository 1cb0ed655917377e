// Postgres cannot store the character NUL. It is stored as two characters that Unicode will never assign, so that no search for other
// characters finds them. The first of the two is escaped in the same way.

const ESCAPE = "\ufdd0";
const NUL = "\ufdd1";
const ITSELF = "\ufdd2";

// eslint-disable-next-line no-control-regex
const NEEDS_ESCAPE = /[\u0000\ufdd0]/;

export const encodeText = (text: string): string =>
  NEEDS_ESCAPE.test(text) ? text.replaceAll(ESCAPE, `${ESCAPE}${ITSELF}`).replaceAll("\u0000", `${ESCAPE}${NUL}`) : text;

export const decodeText = (text: string): string =>
  text.includes(ESCAPE) ? text.replaceAll(/\ufdd0([\ufdd1\ufdd2])/g, (_, second) => (second === NUL ? "\u0000" : ESCAPE)) : text;
