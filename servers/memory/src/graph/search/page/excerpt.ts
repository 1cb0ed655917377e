// The part of a long text that a search shows: where the query is, or the most of its words.
import { truncateText } from "@oarlock/domain-kit";
import { fold } from "../../text-index/normalization.ts";
import { FoldedText } from "../words/folded-text.ts";
import { termsOf, type Term } from "../words/query-terms.ts";

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Of the part, what stands before the first match. */
const BEFORE_SHARE = 0.2;
/** Words of a longer text are not looked at. */
const MAX_LOOKED_AT = 100_000;
/** Characters that are folded at a time to find a position. */
const STEPS = [1000, 30, 1] as const;

/** `query`: folded. At most `maxLength` characters and a sign at each end that is cut. */
export function excerptOf(text: string, query: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const whole = fold(text).indexOf(query);
  const match = whole === -1 ? densest(text, termsOf(query), maxLength * (1 - BEFORE_SHARE)) : unfoldedPosition(text, whole);
  const before = Math.max(0, Math.min(match - maxLength * BEFORE_SHARE, text.length - maxLength));
  const start = before === 0 ? 0 : wordStart(text, Math.floor(before), match);
  return `${start === 0 ? "" : "…"}${truncateText(text.slice(start), maxLength)}`;
}

/** Where in the text a position of its folded form is: accents that are characters of their own and `…` have another length there. */
function unfoldedPosition(text: string, position: number): number {
  let [at, left] = [0, position];
  for (const step of STEPS)
    for (; at < text.length; at += step) {
      const { length } = fold(text.slice(at, at + step));
      if (length > left) break;
      left -= length;
    }
  return at;
}

/** Where the part begins that has the most terms. 0 where there is none. */
function densest(text: string, terms: readonly Term[], length: number): number {
  const found: { readonly at: number; readonly term: Term }[] = [];
  for (const { 0: word, index } of text.slice(0, MAX_LOOKED_AT).matchAll(WORD)) {
    const folded = new FoldedText(word);
    for (const term of terms) if (folded.formOf(term) !== undefined) found.push({ at: index, term });
  }
  const counts = new Map<Term, number>();
  let best = { at: 0, count: 0 };
  let end = 0;
  for (const { at, term } of found) {
    for (let next = found[end]; next !== undefined && next.at < at + length; next = found[++end])
      counts.set(next.term, (counts.get(next.term) ?? 0) + 1);
    if (counts.size > best.count) best = { at, count: counts.size };
    if (counts.size === terms.length) break;
    const others = (counts.get(term) ?? 0) - 1;
    if (others > 0) counts.set(term, others);
    else counts.delete(term);
  }
  return best.at;
}

/** The first word from `from` on, which is before the match. */
function wordStart(text: string, from: number, match: number): number {
  const space = text.slice(from, match).search(/\s/u);
  const start = space === -1 ? match : from + space + 1;
  return /^[\udc00-\udfff]/.test(text.slice(start)) ? start + 1 : start;
}
