// Commits as git prints them in fields that end with NUL.

export interface Commit {
  readonly hash: string;
  readonly parents: readonly string[];
  readonly author: string;
  readonly email: string;
  /** When it was written, ISO 8601 with the author's own zone. */
  readonly date: string;
  readonly subject: string;
  readonly body: string;
  readonly refs: readonly string[];
  /** The message, or a name, was too long to be told whole. */
  readonly clipped?: true;
}

const LONGEST_LINE = 2000;
const LONGEST_BODY = 16_000;
/** Branches and tags at one commit. */
const MOST_REFS = 50;

/** Fields in their order; the message is last, as only it may hold newlines. */
export const COMMIT_FORMAT = "%H%x00%P%x00%an%x00%ae%x00%aI%x00%D%x00%B";
export const COMMIT_FIELDS = 7;

export function commitOf(fields: readonly string[], from = 0): Commit {
  const at = (index: number): string => fields[from + index] ?? "";
  const [subject, body] = partsOf(at(6));
  const parents = at(1);
  const refs = at(5)
    .slice(0, MOST_REFS * LONGEST_LINE)
    .split(", ");
  // Where a shallow history ends, git says so among the names.
  if (parents === "" && refs[0] === "grafted") refs.shift();
  const clipped =
    [subject, at(2), at(3)].some(({ length }) => length > LONGEST_LINE) || body.length > LONGEST_BODY || refs.length > MOST_REFS;
  return {
    hash: at(0).trim(),
    parents: parents === "" ? [] : parents.split(" "),
    author: clip(at(2), LONGEST_LINE),
    email: clip(at(3), LONGEST_LINE),
    date: at(4),
    subject: clip(subject, LONGEST_LINE),
    body: clip(body, LONGEST_BODY),
    refs: refs.slice(0, MOST_REFS).flatMap((ref) => (ref === "" ? [] : clip(ref, LONGEST_LINE))),
    ...(clipped && { clipped }),
  };
}

/** A first line, as lists tell it: one may be as long as a file. */
export const lineOf = (text: string): string => clip(text, LONGEST_LINE);

const clip = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);

/** The first paragraph on one line, and the rest. */
function partsOf(message: string): [subject: string, body: string] {
  const text = message.replace(/^\n+/, "").trimEnd();
  // Most have one line.
  if (!text.includes("\n")) return [text, ""];
  const end = /\n[ \t]*\n/.exec(text);
  const first = end === null ? text : text.slice(0, end.index);
  return [first.replaceAll(/\s*\n\s*/g, " "), end === null ? "" : text.slice(end.index + end[0].length).replace(/^\n+/, "")];
}

/** As the tools of old wrote it. */
export function commitText({ hash, author, email, date, subject, body }: Commit): string {
  return `Commit: ${hash}\nAuthor: ${author} <${email}>\nDate: ${date}\nMessage: ${subject}${body === "" ? "" : `\n\n${body}`}\n`;
}
