/** The words in which two lines differ. */
import { diffWordsWithSpace } from "diff";
import type { DiffLine } from "./patch.ts";

export interface Words {
  readonly text: string;
  readonly isChanged: boolean;
}

/** Longer lines are shown as changed as a whole. */
const MAX_LENGTH = 400;
const MAX_CHANGES = 120;
/** Lines that share less than this part are different lines, not changed ones. */
const MIN_SHARE = 0.3;

const known = new WeakMap<DiffLine, readonly Words[]>();

/** The words of a line; those that its partner does not have are marked as changed. */
export function splitWords(line: DiffLine): readonly Words[] {
  const { partner, text } = line;
  if (partner === undefined || text.length > MAX_LENGTH || partner.text.length > MAX_LENGTH) return [{ text, isChanged: false }];
  const found = known.get(line);
  if (found !== undefined) return found;
  const [old, next] = line.sign === "-" ? [line, partner] : [partner, line];
  const parts = diffWordsWithSpace(old.text, next.text, { maxEditLength: MAX_CHANGES }) ?? [];
  const shared = parts.reduce((sum, { added, removed, value }) => sum + (added || removed ? 0 : value.trim().length), 0);
  const isAlike = shared >= MIN_SHARE * Math.max(old.text.trim().length, next.text.trim().length);
  const side = (other: "added" | "removed"): Words[] =>
    parts.flatMap((part) => (part[other] ? [] : [{ text: part.value, isChanged: part.added || part.removed }]));
  known.set(old, isAlike ? side("added") : [{ text: old.text, isChanged: false }]);
  known.set(next, isAlike ? side("removed") : [{ text: next.text, isChanged: false }]);
  return known.get(line) ?? [];
}
