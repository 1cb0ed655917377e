// A byte order mark in an edit. Reads leave the mark of a file out, but other readers give it to a model as the first character.
import { DiskError } from "../errors.ts";

const MARK = "\ufeff";

interface TextPair {
  readonly oldText: string;
  readonly newText: string;
}

/** The edit without a mark that its text does not have. `which`: the edit, for a message. */
export function withoutMark<E extends TextPair>(edit: E, text: string, which: string): E {
  const { oldText, newText } = edit;
  if (!oldText.startsWith(MARK) || text.includes(MARK)) return edit;
  if (oldText.slice(1) === newText)
    throw new DiskError(
      "invalid",
      `No change by edit${which}: a byte order mark is not part of the text that edits see. To remove it, use write_file with encoding utf-8.`,
    );
  return { ...edit, oldText: oldText.slice(1), newText: newText.startsWith(MARK) ? newText.slice(1) : newText };
}

/** The edited text of a file that keeps its mark: without a second one. */
export function withoutSecondMark(edited: string, text: string): string {
  if (!edited.startsWith(MARK) || text.startsWith(MARK)) return edited;
  if (edited.slice(1) === text) throw new DiskError("invalid", "No change: the file has a byte order mark already.");
  return edited.slice(1);
}
