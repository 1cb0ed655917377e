// Patterns for names of tables: `*` and `%` stand for any text, `?` for one character.

/** A pattern without wildcards is a part of the name. Letter case is ignored. */
export function matchesPattern(name: string, pattern: string | undefined): boolean {
  if (pattern === undefined || pattern === "") return true;
  const [text, wanted] = [name.toLowerCase(), pattern.toLowerCase()];
  return /[*?%]/.test(wanted) ? matchesWildcards(text, wanted) : text.includes(wanted);
}

const isStar = (sign: string | undefined): boolean => sign === "*" || sign === "%";

/** Takes at most (length of text) × (length of pattern) steps, unlike a regular expression made from the pattern. */
function matchesWildcards(text: string, pattern: string): boolean {
  let [textAt, patternAt] = [0, 0];
  /** Where to try again when a character does not match: the last star takes one character more. */
  let retry: { textAt: number; patternAt: number } | undefined;
  while (textAt < text.length) {
    const wanted = pattern[patternAt];
    if (isStar(wanted)) {
      patternAt += 1;
      retry = { textAt, patternAt };
    } else if (wanted === "?" || wanted === text[textAt]) {
      textAt += 1;
      patternAt += 1;
    } else if (retry !== undefined) {
      retry.textAt += 1;
      ({ textAt, patternAt } = retry);
    } else return false;
  }
  return /^[*%]*$/.test(pattern.slice(patternAt));
}
