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

/** `query`: folded. At most `maxLength` characters and a sign at each end that is cut. */
export function excerptOf(text: string, query: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  // Folded texts may have another length; beyond ASCII a difference of a few characters does not matter here.
  const whole = fold(text).indexOf(query);
  const match = whole === -1 ? densest(text, termsOf(query), maxLength * (1 - BEFORE_SHARE)) : whole;
  const before = Math.max(0, Math.min(match - maxLength * BEFORE_SHARE, text.length - maxLength));
  const start = before === 0 ? 0 : wordStart(text, Math.floor(before), match);
  return `${start === 0 ? "" : "…"}${truncateText(text.slice(start), maxLength)}`;
}

/** Where the part begins that has the most terms. 0 where there is none. */
function densest(text: string, terms: readonly Term[], length: number): number {
  const found: { readonly at: number; readonly term: Term }[] = [];
  for (const { 0: word, index } of text.slice(0, MAX_LOOKED_AT).matchAll(WORD)) {
    const folded = new FoldedText(word);
    for (const term of terms) if (folded.formOf(term) !== undefined) found.push({ at: index, term });
  }
  const countFrom = (start: number): number =>
    new Set(found.filter(({ at }) => at >= start && at < start + length).map(({ term }) => term)).size;
  let best = { at: 0, count: 0 };
  for (const at of new Set(found.map((one) => one.at))) {
    const count = countFrom(at);
    if (count > best.count) best = { at, count };
    if (count === terms.length) break;
  }
  return best.at;
}

/** The first word from `from` on, which is before the match. */
function wordStart(text: string, from: number, match: number): number {
  const space = text.slice(from, match).search(/\s/u);
  const start = space === -1 ? match : from + space + 1;
  return /^[\udc00-\udfff]/.test(text.slice(start)) ? start + 1 : start;
}
