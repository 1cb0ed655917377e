// Conversation files (`*.mcp`): read, and split into steps. The README of this package has the format.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One line of a conversation, with the lines that continue it. */
export type Step = {
  /** Of the file, from 1. */
  line: number;
  /** How many lines of the file it takes. */
  lines: number;
} & (
  | { kind: "send"; text: string; raw: boolean }
  | { kind: "expect"; text: string }
  /** Nothing comes. */
  | { kind: "quiet" }
  /** The expectations up to `close` come in any order. */
  | { kind: "open" }
  | { kind: "close" }
);

export interface Transcript {
  readonly file: string;
  /** The first line of prose. */
  readonly title: string;
  readonly source: string;
  readonly steps: readonly Step[];
}

export class TranscriptError extends Error {
  constructor(file: string, line: number, message: string) {
    super(`${file}:${line}: ${message}`);
    this.name = "TranscriptError";
  }
}

const MARKS: Record<string, (text: string) => Omit<Extract<Step, { kind: "send" }>, "line" | "lines"> | Plain> = {
  "→": (text) => ({ kind: "send", text, raw: false }),
  "⇥": (text) => ({ kind: "send", text, raw: true }),
  "←": (text) => ({ kind: "expect", text }),
  "∅": () => ({ kind: "quiet" }),
  "⟨": () => ({ kind: "open" }),
  "⟩": () => ({ kind: "close" }),
};
type Plain = { kind: "expect"; text: string } | { kind: "quiet" | "open" | "close" };

/** Parses a conversation; throws with file and line where it is not of the format. */
export function parseTranscript(source: string, file = "transcript"): Transcript {
  const steps: Step[] = [];
  let title = "";
  for (const [at, line] of source.split("\n").entries()) {
    const number = at + 1;
    if (line.startsWith("#")) title ||= line.replace(/^#+\s*/, "");
    else if (/^\s/.test(line) && line.trim() !== "") continueStep(steps.at(-1), line.trim(), file, number);
    else if (line !== "") {
      const mark = line.charAt(0);
      const make = Object.hasOwn(MARKS, mark) ? MARKS[mark] : undefined;
      if (make === undefined)
        throw new TranscriptError(file, number, `a line begins with one of # → ⇥ ← ∅ ⟨ ⟩ or a blank; came ${line.slice(0, 40)}`);
      steps.push({ ...make(line.slice(mark.length).replace(/^ /, "")), line: number, lines: 1 });
    }
  }
  check(steps, file);
  return { file, title, source, steps };
}

function continueStep(step: Step | undefined, text: string, file: string, line: number): void {
  if (step === undefined || !("text" in step) || step.line + step.lines !== line) {
    throw new TranscriptError(file, line, "this line continues nothing");
  }
  step.text += text;
  step.lines++;
}

function check(steps: readonly Step[], file: string): void {
  let open = false;
  for (const step of steps) {
    if ((step.kind === "open" && open) || (step.kind === "close" && !open))
      throw new TranscriptError(file, step.line, "⟨ and ⟩ stand in pairs");
    if (step.kind === "open" || step.kind === "close") open = step.kind === "open";
    else if (open && step.kind !== "expect") throw new TranscriptError(file, step.line, "between ⟨ and ⟩ stand expectations only");
    if (step.kind === "expect" || (step.kind === "send" && !step.raw)) parse(step.text, file, step.line);
  }
  const last = steps.at(-1);
  if (open && last !== undefined) throw new TranscriptError(file, last.line, "⟨ without ⟩");
}

function parse(text: string, file: string, line: number): void {
  try {
    JSON.parse(text.replaceAll(/\{\{\w+\}\}/g, "x"));
  } catch (error) {
    throw new TranscriptError(file, line, `not JSON: ${String(error)}`);
  }
}

/** All conversations of a folder, by name. */
export function readTranscripts(folder: string): Transcript[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".mcp"))
    .sort()
    .map((name) => parseTranscript(readFileSync(join(folder, name), "utf8"), join(folder, name)));
}
