// Commits as git prints them in fields that end with NUL.
import { escapeControls, truncateText } from "@oarlock/domain-kit";
import { decodeText, nameToText } from "../text/file-names.ts";

export interface Commit {
  readonly hash: string;
  readonly parents: readonly string[];
  readonly author: string;
  readonly email: string;
  /** When the commit was written: ISO 8601 in the author's time zone. */
  readonly date: string;
  readonly subject: string;
  readonly body: string;
  readonly refs: readonly string[];
  /** What `git notes` holds for it. */
  readonly notes?: string;
  /** The history of a shallow clone ends here. */
  readonly boundary?: true;
  /** The message, a name or the list of refs was shortened. */
  readonly clipped?: true;
}

const MAX_LINE_LENGTH = 2000;
const MAX_BODY_LENGTH = 16_000;
const MAX_REFS = 50;

/** The format option of git. Only notes and message may hold newlines. */
export const COMMIT_FORMAT = "%H%x00%P%x00%an%x00%ae%x00%aI%x00%D%x00%N%x00%B";
export const COMMIT_FIELD_COUNT = 8;

/** The field of the refs that name the commit. */
const REFS_FIELD = 5;

/** The fields as text: names of refs are bytes to git, and the others have the encoding of the commit. */
export function decodeCommitFields(records: readonly Buffer[]): string[] {
  return records.map((record, at) => (at % COMMIT_FIELD_COUNT === REFS_FIELD ? nameToText : decodeText)(record));
}

/** `from`: the index of the first field of the commit. */
export function parseCommit(fields: readonly string[], from = 0): Commit {
  const [hash = "", parents = "", author = "", email = "", date = "", decoration = "", note = "", message = ""] = fields.slice(
    from,
    from + COMMIT_FIELD_COUNT,
  );
  const { subject, body } = splitMessage(message);
  const refs = decoration.slice(0, MAX_REFS * MAX_LINE_LENGTH).split(", ");
  // At the end of a shallow history git adds this word to the refs.
  if (parents === "" && refs[0] === "grafted") refs.shift();
  const notes = note.trimEnd();
  const clipped =
    [subject, author, email].some(({ length }) => length > MAX_LINE_LENGTH) ||
    Math.max(body.length, notes.length) > MAX_BODY_LENGTH ||
    refs.length > MAX_REFS;
  return {
    hash: hash.trim(),
    parents: parents === "" ? [] : parents.split(" "),
    author: truncateLine(author),
    email: truncateLine(email),
    date,
    subject: truncateLine(subject),
    body: truncateText(body, MAX_BODY_LENGTH),
    refs: refs.slice(0, MAX_REFS).flatMap((ref) => (ref === "" ? [] : truncateLine(ref))),
    ...(notes !== "" && { notes: truncateText(notes, MAX_BODY_LENGTH) }),
    ...(clipped && { clipped }),
  };
}

/** Shortens a line of a commit for a list: a subject may be as long as a file. */
export const truncateLine = (text: string): string => truncateText(text, MAX_LINE_LENGTH);

/** At the start. Lines may end with CR LF. */
const BLANK_LINES = /^(?:[ \t\r]*\n)+/;

/** The first paragraph on one line, and the rest. */
function splitMessage(message: string): { subject: string; body: string } {
  const text = message.replace(BLANK_LINES, "").trimEnd();
  const end = /\n[ \t\r]*\n/.exec(text);
  const subject = (end === null ? text : text.slice(0, end.index).trimEnd()).replaceAll(/\s*\n\s*/g, " ");
  return { subject, body: end === null ? "" : text.slice(end.index + end[0].length).replace(BLANK_LINES, "") };
}

/** Digits of a parent in a text. */
const PARENT_DIGITS = 12;

/** The text of a commit in the form of the reference server, with the parents of a merge and notes as git shows them. */
export function commitText({ hash, parents, author, email, date, subject, body, notes }: Commit): string {
  const person = `${escapeControls(author)} <${escapeControls(email)}>`;
  const message = escapeControls(subject) + (body === "" ? "" : `\n\n${escapeLines(body)}`);
  const merge = parents.length > 1 ? `Merge: ${parents.map((parent) => parent.slice(0, PARENT_DIGITS)).join(" ")}\n` : "";
  const noted = notes === undefined ? "" : `\nNotes:\n${escapeLines(notes)}\n`;
  return `Commit: ${hash}\n${merge}Author: ${person}\nDate: ${date}\nMessage: ${message}\n${noted}`;
}

/** Escapes what could reorder or hide a line; line ends and tabs stay. */
export const escapeLines = (text: string): string => text.replaceAll(/[^\t\n]+/g, escapeControls);
