// Applies edits to a text, one after another, all or none. The text keeps its line endings: edits are matched against a view with LF
// only, and then applied to the text itself.
import { setImmediate } from "node:timers/promises";
import { DiskError } from "../errors.ts";
import { matchFlexibly, MAX_PLACES } from "./flexible-match.ts";
import { lfView, lineAt, toLf, type LfView } from "./lf-view.ts";
import { withLineEnds } from "./line-endings.ts";
import { withoutMark } from "./byte-order-mark.ts";
import { describeAmbiguous } from "./refusal/ambiguous-edits.ts";
import { LineOrigins, type Span } from "./refusal/line-origins.ts";
import { describeNearest } from "./nearest-text.ts";
import { linesAt, startsOf } from "./occurrences.ts";

export interface Edit {
  readonly oldText: string;
  readonly newText: string;
  /** Replace every occurrence. */
  readonly replaceAll?: boolean | undefined;
  /** Replace every occurrence, if their number is this one. */
  readonly expectedCount?: number | undefined;
}

export interface Edited {
  readonly text: string;
  readonly replacements: number;
}

const MAX_EDITS = 1000;
const TURN_MS = 50; // then others have their turn

/**
 * `flexible`: lines may differ in their whitespace where no text matches exactly. `linesBefore`: lines of the file before the text, for
 * messages.
 */
export async function applyEdits(
  text: string,
  edits: readonly Edit[],
  flexible: boolean,
  { signal, linesBefore = 0 }: { readonly signal?: AbortSignal | undefined; readonly linesBefore?: number } = {},
): Promise<Edited> {
  if (edits.length === 0) throw new DiskError("invalid", "No edits: expected at least one, or lineEnding.");
  if (edits.length > MAX_EDITS)
    throw new DiskError("too-large", `Too many edits: expected at most ${MAX_EDITS} in one call, got ${edits.length}.`);
  return await applyInOrder(text, edits, { flexible, signal, linesBefore, usual: endAt(text, text.indexOf("\n")) });
}

interface Application {
  readonly flexible: boolean;
  readonly signal: AbortSignal | undefined;
  readonly linesBefore: number;
  /** The line ending of the original text, for a text whose last newline was edited away. */
  readonly usual: LineEnd;
  /** Followed by a second run only, for a message: it would slow down each call that is not refused. */
  readonly origins?: LineOrigins;
}

async function applyInOrder(text: string, edits: readonly Edit[], application: Application): Promise<Edited> {
  const { signal, origins, linesBefore } = application;
  let current = text;
  let replacements = 0;
  let pause = performance.now() + TURN_MS;
  for (const [index, edit] of edits.entries()) {
    if (performance.now() > pause) {
      await setImmediate(undefined, { signal });
      pause = performance.now() + TURN_MS;
    }
    const which = edits.length > 1 ? ` ${index + 1} of ${edits.length}` : "";
    try {
      const edited = applyOne(current, edit, which, application);
      current = edited.text;
      replacements += edited.replacements;
    } catch (error) {
      if (!(error instanceof DiskError) || edits.length === 1) throw error;
      if (origins === undefined)
        return await applyInOrder(text, edits, { ...application, origins: new LineOrigins(lfView(text).text, linesBefore) });
      throw new DiskError(error.code, error.message + describeAmbiguous(lfView(current).text, edits, index + 1, origins));
    }
  }
  if (current === text) throw noEffect("edits", "together they bring back the text as it was");
  return { text: current, replacements };
}

function applyOne(current: string, edit: Edit, which: string, { flexible, usual, origins, linesBefore }: Application): Edited {
  const view = lfView(current);
  mustDiffer(edit, which);
  const searched = { text: view.text, flexible, which, lineOf: (line: number) => origins?.of(line) ?? linesBefore + line };
  const spans = spansOf(searched, withoutMark(edit, view.text, which));
  const edited = cutIn(current, view, spans, usual);
  if (edited === current) throw noEffect(`edit${which}`, `line ${lineIn(searched, spans[0]?.start ?? 0)} has the text of newText already`);
  origins?.follow(view.text, spans);
  return { text: edited, replacements: spans.length };
}

/** What one edit is looked for in. */
interface Searched {
  readonly text: string;
  readonly flexible: boolean;
  /** The edit, for messages. */
  readonly which: string;
  /** The line of the file behind a line of the text. */
  lineOf(line: number): number;
}

const lineIn = ({ text, lineOf }: Searched, index: number): number => lineOf(lineAt(text, index));

function noEffect(what: string, why: string): DiskError {
  return new DiskError("invalid", `No change by ${what}: ${why}. The file is unchanged.`);
}

function mustDiffer({ oldText, newText }: Edit, which: string): void {
  if (oldText === newText && oldText !== "") throw noEffect(`edit${which}`, "oldText and newText are the same");
  if (oldText !== newText && toLf(oldText) === toLf(newText))
    throw new DiskError(
      "invalid",
      `No change by edit${which}: oldText and newText differ in line endings only, and edits keep those of the file. Pass lineEnding to convert them.`,
    );
}

function spansOf(searched: Searched, edit: Edit): Span[] {
  const { text, flexible, which, lineOf } = searched;
  const [old, next] = [toLf(edit.oldText), toLf(edit.newText)];
  if (old === "")
    throw new DiskError(
      "invalid",
      `oldText of edit${which} is empty; expected the text to replace. To add lines, repeat a line beside them in oldText and newText; with lines, one edit with an empty oldText replaces all of them.`,
    );
  const { expectedCount, replaceAll } = edit;
  if (expectedCount !== undefined && (!Number.isSafeInteger(expectedCount) || expectedCount < 1)) {
    throw new DiskError("invalid", `expectedCount must be a whole number of at least 1, but is ${expectedCount}.`);
  }
  const wantsMany = replaceAll === true || expectedCount !== undefined;
  const starts = startsOf(text, old, wantsMany ? old.length : 1);
  if (starts.length === 0) {
    const span = flexible ? flexibleSpan(searched, old, next) : notFound(searched, old);
    // Ignoring whitespace matches at most one place.
    if (expectedCount === undefined || expectedCount === 1) return [span];
    throw new DiskError(
      "conflict",
      `oldText of edit${which} does not occur exactly, and ignoring whitespace it occurs once, not ${expectedCount} times: at line ${lineIn(searched, span.start)}.`,
    );
  }
  if (expectedCount !== undefined && starts.length !== expectedCount) {
    throw new DiskError(
      "conflict",
      `oldText of edit${which} occurs ${starts.length} times, not ${expectedCount} times: at ${linesAt(text, starts, lineOf)}.`,
    );
  }
  if (!wantsMany && starts.length > 1) {
    throw new DiskError(
      "conflict",
      `oldText of edit${which} is not unique: it occurs ${starts.length} times, at ${linesAt(text, starts, lineOf)}. Add lines around it, or set replaceAll or expectedCount.`,
    );
  }
  return starts.map((start) => ({ start, end: start + old.length, text: next }));
}

function flexibleSpan(searched: Searched, old: string, next: string): Span {
  const { text, which, lineOf } = searched;
  const match = matchFlexibly(text, old, next);
  switch (match.kind) {
    case "found":
      return match;
    case "many":
      throw new DiskError(
        "conflict",
        `oldText of edit${which} does not occur exactly, and ignoring whitespace it occurs more than once, at lines ${match.lines.map(lineOf).join(", ")}${match.lines.length === MAX_PLACES ? " and maybe more" : ""}. Repeat the lines exactly as they are in the file.`,
      );
    case "uneven":
      throw new DiskError(
        "conflict",
        [
          `oldText of edit${which} does not occur exactly. The lines from line ${lineOf(match.line)} on differ from it only in whitespace, but not all by the same indentation, so newText cannot be indented to fit.`,
          ...describeNearest(text, old, lineOf),
        ].join("\n"),
      );
    case "none":
      return notFound(searched, old);
  }
}

function notFound({ text, which, lineOf }: Searched, old: string): never {
  throw new DiskError("not-found", [`Could not find exact match for edit${which}.`, ...describeNearest(text, old, lineOf)].join("\n"));
}

function cutIn(text: string, view: LfView, spans: readonly Span[], usual: LineEnd): string {
  const mayHavePairs = view.text.length !== text.length || usual === "\r\n";
  const pieces: string[] = [];
  let done = 0;
  for (const span of spans) {
    const [start, end] = [view.at(span.start), view.at(span.end)];
    const fitted = mayHavePairs ? withLineEnds(span.text, text.slice(start, end), endNear(text, start, end, usual)) : span.text;
    pieces.push(text.slice(done, start), fitted);
    done = end;
  }
  pieces.push(text.slice(done));
  return pieces.join("");
}

type LineEnd = "\n" | "\r\n";

/** The line ending of the line with this part, or else of the line before. */
function endNear(text: string, start: number, end: number, usual: LineEnd): LineEnd {
  const after = text.indexOf("\n", end);
  const at = after === -1 ? text.lastIndexOf("\n", Math.max(start - 1, 0)) : after;
  return at === -1 ? usual : endAt(text, at);
}

const endAt = (text: string, newline: number): LineEnd => (text[newline - 1] === "\r" ? "\r\n" : "\n");
