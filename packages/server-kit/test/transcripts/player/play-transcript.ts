// Plays a transcript against a server: sends the client's messages, and compares the server's messages with the expected ones.
import { isObject, type Wire } from "../../../src/protocol.ts";
import { MessageQueue } from "../../../../testing/src/process/message-queue.ts";
import { differences, fillHoles, type CapturedValues } from "./message-match.ts";
import { TranscriptError, type Step, type Transcript } from "./transcript.ts";

export interface PlayOptions {
  /** Values for `{{name}}` in the file: text that differs from run to run, such as the path of a folder. */
  variables?: Readonly<Record<string, string>>;
  /** Deadline of each expected message, in milliseconds. Default 10,000. */
  deadlineMs?: number;
}

/** Prefix of the ids of pings that prove silence. */
const PING_ID_PREFIX = "transcript-quiet-";
const MAX_DIFFERENCES = 20;

/**
 * Plays a transcript to its end and closes the wire. Throws at the first message that differs, with file, line and the
 * differences by path.
 * @example
 * for (const transcript of readTranscripts(folder)) {
 *   test(transcript.title, () => playTranscript(transcript, linkMemory(createServer())));
 * }
 */
export async function playTranscript(transcript: Transcript, wire: Wire, options: PlayOptions = {}): Promise<void> {
  try {
    await new Player(transcript, wire, options).play();
  } finally {
    await wire.close();
  }
}

class Player {
  readonly #captured: CapturedValues = new Map();
  readonly #deadlineMs: number;
  readonly #transcript: Transcript;
  readonly #wire: Wire;
  readonly #variables: Readonly<Record<string, string>>;
  readonly #received = new MessageQueue<string>();
  #pings = 0;

  constructor(transcript: Transcript, wire: Wire, options: PlayOptions) {
    this.#transcript = transcript;
    this.#wire = wire;
    this.#variables = options.variables ?? {};
    this.#deadlineMs = options.deadlineMs ?? 10_000;
    wire.onText = (text) => this.#received.push(text);
    wire.onClose = (error) => this.#received.end(error?.message ?? "the connection ended");
  }

  async play(): Promise<void> {
    const { steps } = this.#transcript;
    let anyOrder: Step[] | undefined;
    for (const step of steps) {
      if (step.kind === "send") this.#send(step.text, step.raw);
      else if (step.kind === "open") anyOrder = [];
      else if (step.kind === "quiet") await this.#expectSilence(step.line);
      else if (step.kind === "close") {
        await this.#inAnyOrder(anyOrder ?? []);
        anyOrder = undefined;
      } else if (anyOrder !== undefined) anyOrder.push(step);
      else await this.#expect(step);
    }
    await this.#expectSilence(steps.at(-1)?.line ?? 1);
  }

  #send(given: string, raw: boolean): void {
    const text = this.#withVariables(given);
    this.#wire.send(!raw && /"<=\w+>"/.test(text) ? JSON.stringify(fillHoles(JSON.parse(text), this.#captured)) : text);
  }

  #expectation(step: Step): unknown {
    return "text" in step ? JSON.parse(this.#withVariables(step.text)) : undefined;
  }

  /** The messages of the server before its response to a ping. */
  async #flush(): Promise<string[]> {
    const id = `${PING_ID_PREFIX}${++this.#pings}`;
    this.#wire.send(JSON.stringify({ jsonrpc: "2.0", id, method: "ping" }));
    const before: string[] = [];
    for (;;) {
      const text = await this.#received.next(this.#deadlineMs);
      const message: unknown = parseOrWrap(text);
      if (isObject(message) && message.id === id && message.method === undefined) return before;
      before.push(text);
    }
  }

  /** Throws when the server sends a message before its response to a ping. */
  async #expectSilence(line: number): Promise<void> {
    const extra = await this.#flush().catch((error: unknown) =>
      this.#fail(line, `Expected silence, but the server does not respond to a ping: ${String(error)}`),
    );
    if (extra.length > 0) this.#fail(line, `Expected no further message\n  received ← ${extra.join("\n  received ← ")}`);
  }

  async #expect(step: Step): Promise<void> {
    const text = await this.#nextFor(step);
    const wrong = differences(this.#expectation(step), parseOrWrap(text), this.#captured);
    if (wrong.length > 0) this.#fail(step.line, describeDifferences(wrong, this.#expectation(step), text));
  }

  /** Assigns each received message to the first expectation that it matches. */
  async #inAnyOrder(steps: readonly Step[]): Promise<void> {
    const remaining = [...steps];
    const unmatched: string[] = [];
    for (const step of steps) {
      const text = await this.#nextFor(step);
      const at = remaining.findIndex((one) => differences(this.#expectation(one), parseOrWrap(text), this.#captured).length === 0);
      if (at === -1) unmatched.push(text);
      else remaining.splice(at, 1);
    }
    const [first] = remaining;
    if (first === undefined) return;
    const [received = ""] = unmatched;
    const wrong = differences(this.#expectation(first), parseOrWrap(received), new Map(this.#captured));
    const more = unmatched.length > 1 ? [`(${unmatched.length} messages match no expectation; compared are the first of each)`] : [];
    this.#fail(first.line, describeDifferences([...more, ...wrong], this.#expectation(first), received));
  }

  #nextFor(step: Step): Promise<string> {
    return this.#received.next(this.#deadlineMs).catch((error: unknown) => {
      return this.#fail(
        step.line,
        `${error instanceof Error ? error.message : String(error)}\n  expected ← ${JSON.stringify(this.#expectation(step))}`,
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

function parseOrWrap(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { "not JSON": text };
  }
}

function describeDifferences(differing: readonly string[], expected: unknown, received: string): string {
  const listed = differing.slice(0, MAX_DIFFERENCES);
  if (differing.length > listed.length) listed.push(`… and ${differing.length - listed.length} more differences`);
  const lines = listed.map((line) => `  ${line}`).join("\n");
  return `The server's message differs\n${lines}\n  expected ← ${JSON.stringify(expected)}\n  received ← ${received}`;
}
