// Synonyms that a language has: other words for a word, and words for the kind of thing that it is.
import type { Language, Phrase } from "../languages/language.ts";
import { stemOf } from "./inflection.ts";
import type { Alternative } from "./term.ts";

/** Of a word. */
const MAX_ALTERNATIVES = 40;
/** A pet may be a dog, and a dog a poodle. */
const MAX_STEPS = 2;

interface Thesaurus {
  /** Phrases that mean the same, by the stems of each. */
  readonly same: ReadonlyMap<string, readonly Phrase[]>;
  /** Members by the stems of their kind. */
  readonly members: ReadonlyMap<string, readonly Phrase[]>;
  readonly kinds: ReadonlyMap<string, readonly Phrase[]>;
  /** Of all words. */
  readonly stems: ReadonlySet<string>;
  /** Of the longest phrase. */
  readonly maxWords: number;
}

const thesauri = new Map<Language, Thesaurus>();

const keyOf = (phrase: Phrase, language: Language): string => phrase.map((word) => stemOf(word, language)).join(" ");

function thesaurusOf(language: Language): Thesaurus {
  const known = thesauri.get(language);
  if (known !== undefined) return known;
  const [same, members, kinds] = [new Map<string, Phrase[]>(), new Map<string, Phrase[]>(), new Map<string, Phrase[]>()];
  const add = (to: Map<string, Phrase[]>, from: Phrase, phrases: readonly Phrase[]) => {
    const key = keyOf(from, language);
    to.set(key, [...(to.get(key) ?? []), ...phrases]);
  };
  let maxWords = 1;
  for (const group of language.synonyms) {
    for (const member of group.members) {
      if (group.kind === undefined) add(same, member, group.members);
      else add(kinds, member, [group.kind]);
      maxWords = Math.max(maxWords, member.length);
    }
    if (group.kind !== undefined) add(members, group.kind, group.members);
  }
  const stems = new Set([...same.keys(), ...members.keys(), ...kinds.keys()].flatMap((key) => key.split(" ")));
  const thesaurus = { same, members, kinds, stems, maxWords };
  thesauri.set(language, thesaurus);
  return thesaurus;
}

/** What else counts as the phrase: synonyms first, then members, then words for its kind. */
export function alternativesOf(phrase: Phrase, language: Language): Alternative[] {
  const { same, members, kinds } = thesaurusOf(language);
  const own = keyOf(phrase, language);
  const found = new Map<string, Alternative>();
  const add = (kind: Alternative["kind"], phrases: readonly Phrase[]): Phrase[] =>
    phrases.filter((one) => {
      const key = keyOf(one, language);
      if (key === own || found.has(key) || found.size === MAX_ALTERNATIVES) return false;
      found.set(key, { kind, text: one.join(" ") });
      return true;
    });
  const withSame = (kind: Alternative["kind"], phrases: readonly Phrase[]): Phrase[] =>
    add(kind, phrases).flatMap((one) => [one, ...add(kind, same.get(keyOf(one, language)) ?? [])]);
  const equal = add("synonym", same.get(own) ?? []);
  let from: readonly Phrase[] = [phrase];
  for (let step = 0; step < MAX_STEPS; step++) from = from.flatMap((one) => withSame("synonym", members.get(keyOf(one, language)) ?? []));
  for (const one of equal) withSame("synonym", members.get(keyOf(one, language)) ?? []);
  withSame("broader", kinds.get(own) ?? []);
  return [...found.values()];
}

export const isKnownStem = (word: string, language: Language): boolean => thesaurusOf(language).stems.has(stemOf(word, language));

/** How many of the words, from `at` on, are one phrase; 1 where they are none. */
export function phraseLength(words: readonly string[], at: number, language: Language): number {
  const { same, members, kinds, maxWords } = thesaurusOf(language);
  for (let length = Math.min(maxWords, words.length - at); length > 1; length--) {
    const key = keyOf(words.slice(at, at + length), language);
    if (same.has(key) || members.has(key) || kinds.has(key)) return length;
  }
  return 1;
}
