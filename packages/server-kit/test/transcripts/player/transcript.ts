// The parser of transcripts: `*.mcp` files with the messages of one conversation. The README describes the format.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One step of a transcript: a line with its continuation lines. */
export type Step = {
  /** Line number in the file, from 1. */
  line: number;
  /** The number of lines in the file. */
  lines: number;
} & (
  | { kind: "send"; text: string; raw: boolean }
  | { kind: "expect"; text: string }
  /** Expects silence. */
  | { kind: "quiet" }
  /** The messages expected up to `close` may be received in any order. */
  | { kind: "open" }
  | { kind: "close" }
);

export interface Transcript {
  readonly file: string;
  /** The first comment line. */
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

const STEP_BY_MARK: Record<string, (text: string) => Omit<Extract<Step, { kind: "send" }>, "line" | "lines"> | ReceiveStep> = {
  "→": (text) => ({ kind: "send", text, raw: false }),
  "⇥": (text) => ({ kind: "send", text, raw: true }),
  "←": (text) => ({ kind: "expect", text }),
  "∅": () => ({ kind: "quiet" }),
  "⟨": () => ({ kind: "open" }),
  "⟩": () => ({ kind: "close" }),
};
type ReceiveStep = { kind: "expect"; text: string } | { kind: "quiet" | "open" | "close" };

/** Parses a transcript. Throws a `TranscriptError` with file and line on a syntax error. */
export function parseTranscript(source: string, file = "transcript"): Transcript {
  const steps: Step[] = [];
  let title = "";
  for (const [at, line] of source.split("\n").entries()) {
    const number = at + 1;
    if (line.startsWith("#")) title ||= line.replace(/^#+\s*/, "");
    else if (/^\s/.test(line) && line.trim() !== "") continueStep(steps.at(-1), line.trim(), file, number);
    else if (line !== "") {
      const mark = line.charAt(0);
      const make = Object.hasOwn(STEP_BY_MARK, mark) ? STEP_BY_MARK[mark] : undefined;
      if (make === undefined)
        throw new TranscriptError(
          file,
          number,
          `Unknown line: expected one of # → ⇥ ← ∅ ⟨ ⟩ or a space at its start. Received: ${line.slice(0, 40)}`,
        );
      steps.push({ ...make(line.slice(mark.length).replace(/^ /, "")), line: number, lines: 1 });
    }
  }
  check(steps, file);
  return { file, title, source, steps };
}

function continueStep(step: Step | undefined, text: string, file: string, line: number): void {
  if (step === undefined || !("text" in step) || step.line + step.lines !== line) {
    throw new TranscriptError(file, line, "Continuation line without a message: expected a message on the line before.");
  }
  step.text += text;
  step.lines++;
}

function check(steps: readonly Step[], file: string): void {
  let open = false;
  for (const step of steps) {
    if ((step.kind === "open" && open) || (step.kind === "close" && !open))
      throw new TranscriptError(file, step.line, "Unpaired ⟨ or ⟩: expected ⟩ after each ⟨.");
    if (step.kind === "open" || step.kind === "close") open = step.kind === "open";
    else if (open && step.kind !== "expect")
      throw new TranscriptError(file, step.line, "Wrong line between ⟨ and ⟩: expected only lines that begin with ←.");
    if (step.kind === "expect" || (step.kind === "send" && !step.raw)) parse(step.text, file, step.line);
  }
  const last = steps.at(-1);
  if (open && last !== undefined) throw new TranscriptError(file, last.line, "Unclosed ⟨: expected ⟩ before the end of the file.");
}

function parse(text: string, file: string, line: number): void {
  try {
    JSON.parse(text.replaceAll(/\{\{\w+\}\}/g, "x"));
  } catch (error) {
    throw new TranscriptError(file, line, `Invalid JSON: ${String(error)}`);
  }
}

/** The transcripts (`*.mcp`) of a folder, sorted by file name. */
export function readTranscripts(folder: string): Transcript[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".mcp"))
    .sort()
    .map((name) => parseTranscript(readFileSync(join(folder, name), "utf8"), join(folder, name)));
}
