// The facts that a reader meets in the text of a reply, whatever its form: known texts are looked for, nothing is parsed.

/** A fact that is cut counts from this many characters on. */
const MIN_VISIBLE = 40;

/** The facts that a text shows, each once and as far as it is visible, in the order in which they begin. */
export function factsInText(text: string, facts: readonly string[]): string[] {
  const found: { readonly at: number; readonly visible: string }[] = [];
  let rest = text;
  /** Takes all occurrences of a piece away, so that no shorter fact is found within a longer one. */
  const take = (piece: string, fact: string): boolean => {
    const at = rest.indexOf(piece);
    if (at === -1) return false;
    const visible = rest.slice(at, at + sharedLength(rest.slice(at), fact));
    found.push({ at, visible });
    rest = rest.replaceAll(visible, "\0".repeat(visible.length));
    return true;
  };
  const longestFirst = facts.toSorted((a, b) => b.length - a.length);
  const cut = longestFirst.filter((fact) => !formsOf(fact).some((form) => take(form, form)));
  for (const fact of cut) if (fact.length > MIN_VISIBLE) formsOf(fact).some((form) => take(form.slice(0, MIN_VISIBLE), form));
  return found.toSorted((a, b) => a.at - b.at).map(({ visible }) => visible);
}

/** A text as it is, and within JSON. */
const formsOf = (fact: string): string[] => [...new Set([fact, JSON.stringify(fact).slice(1, -1)])];

function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < b.length && a[length] === b[length]) length++;
  return length;
}
