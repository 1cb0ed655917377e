// One conversation under way: what was written, what came, and where the two differ.
import { isObject, type Wire } from "@oarlock/server-kit/protocol";
import { Arrivals } from "./arrivals.ts";
import { differences, fill, type Kept } from "./match.ts";
import { TranscriptError, type Step, type Transcript } from "./transcript.ts";

export interface PlayOptions {
  /** Stand in the file as `{{name}}`: what differs from run to run, as the path of a folder. */
  variables?: Readonly<Record<string, string>>;
  /** How long an expected message may take, in milliseconds. Default 10,000. */
  deadlineMs?: number;
  /** Write the file anew where it does not match. Default: whether `UPDATE_TRANSCRIPTS` is 1. */
  update?: boolean;
}

export interface Segment {
  sent: Step[];
  expected: Step[];
}

/** What the client says in one go, and what is expected before it says more. */
export function segments(steps: readonly Step[]): Segment[] {
  const found: Segment[] = [];
  let current: Segment | undefined;
  for (const step of steps) {
    if (current === undefined || (step.kind === "send" && current.expected.length > 0)) found.push((current = { sent: [], expected: [] }));
    if (step.kind === "send") current.sent.push(step);
    else current.expected.push(step);
  }
  return found;
}

/** Ids of the pings that prove that nothing else came. */
const RESERVED = "transcript-quiet-";

export class Player {
  readonly kept: Kept = new Map();
  readonly deadlineMs: number;
  readonly #transcript: Transcript;
  readonly #wire: Wire;
  readonly #variables: Readonly<Record<string, string>>;
  readonly #came = new Arrivals<string>();
  #pings = 0;

  constructor(transcript: Transcript, wire: Wire, options: PlayOptions) {
    this.#transcript = transcript;
    this.#wire = wire;
    this.#variables = options.variables ?? {};
    this.deadlineMs = options.deadlineMs ?? 10_000;
    wire.onText = (text) => this.#came.push(text);
    wire.onClose = (error) => this.#came.end(error?.message ?? "the connection ended");
  }

  async segment({ sent, expected }: Segment): Promise<void> {
    for (const step of sent) this.send(step);
    let anyOrder: Step[] | undefined;
    for (const step of expected) {
      if (step.kind === "open") anyOrder = [];
      else if (step.kind === "quiet") await this.quiet(step.line);
      else if (step.kind === "close") {
        await this.#inAnyOrder(anyOrder ?? []);
        anyOrder = undefined;
      } else if (anyOrder !== undefined) anyOrder.push(step);
      else await this.#expect(step);
    }
  }

  send(step: Step): void {
    if (step.kind !== "send") return;
    const text = this.#withVariables(step.text);
    this.#wire.send(!step.raw && /"<=\w+>"/.test(text) ? JSON.stringify(fill(JSON.parse(text), this.kept)) : text);
  }

  expectation(step: Step): unknown {
    return "text" in step ? JSON.parse(this.#withVariables(step.text)) : undefined;
  }

  next(deadlineMs = this.deadlineMs): Promise<string> {
    return this.#came.next(deadlineMs);
  }

  /** Asks for a sign that the server has read everything; whatever comes before it is handed to `also`. */
  async flush(also: (text: string) => void): Promise<void> {
    const id = `${RESERVED}${++this.#pings}`;
    this.#wire.send(JSON.stringify({ jsonrpc: "2.0", id, method: "ping" }));
    for (;;) {
      const text = await this.#came.next(this.deadlineMs);
      const message: unknown = parsed(text);
      if (isObject(message) && message.id === id && message.method === undefined) return;
      also(text);
    }
  }

  async quiet(line: number): Promise<void> {
    const extra: string[] = [];
    await this.flush((text) => extra.push(text)).catch((error: unknown) =>
      this.#fail(line, `expected silence; the server gave no sign: ${String(error)}`),
    );
    if (extra.length > 0) this.#fail(line, `expected nothing more\n  came     ← ${extra.join("\n  came     ← ")}`);
  }

  async #expect(step: Step): Promise<void> {
    const text = await this.#arrival(step);
    const wrong = differences(this.expectation(step), parsed(text), this.kept);
    if (wrong.length > 0) this.#fail(step.line, report(wrong, this.expectation(step), text));
  }

  /** Each message that comes takes the first expectation that it fits. */
  async #inAnyOrder(steps: readonly Step[]): Promise<void> {
    const left = [...steps];
    const stray: string[] = [];
    for (const step of steps) {
      const text = await this.#arrival(step);
      const at = left.findIndex((one) => differences(this.expectation(one), parsed(text), this.kept).length === 0);
      if (at === -1) stray.push(text);
      else left.splice(at, 1);
    }
    const [first] = left;
    if (first === undefined) return;
    const [came = ""] = stray;
    const wrong = differences(this.expectation(first), parsed(came), new Map(this.kept));
    const more = stray.length > 1 ? [`(${stray.length} messages fit none of the expectations; this is the first of each)`] : [];
    this.#fail(first.line, report([...more, ...wrong], this.expectation(first), came));
  }

  #arrival(step: Step): Promise<string> {
    return this.#came.next(this.deadlineMs).catch((error: unknown) => {
      return this.#fail(
        step.line,
        `${error instanceof Error ? error.message : String(error)}\n  expected ← ${JSON.stringify(this.expectation(step))}`,
      );
    });
  }

  #withVariables(text: string): string {
    return text.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => {
      const value = this.#variables[name];
      return value === undefined ? whole : JSON.stringify(value).slice(1, -1);
    });
  }

  #fail(line: number, message: string): never {
    throw new TranscriptError(this.#transcript.file, line, message);
  }
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { "not JSON": text };
  }
}

function report(wrong: readonly string[], expected: unknown, came: string): string {
  const lines = wrong.length > 20 ? [...wrong.slice(0, 20), `… and ${wrong.length - 20} more differences`] : wrong;
  return `the server's message differs\n${lines.map((line) => `  ${line}`).join("\n")}\n  expected ← ${JSON.stringify(expected)}\n  came     ← ${came}`;
}
