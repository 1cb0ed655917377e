// Common part of the adversarial tests of a server: the server may read and write the folder ROOT, while its sibling OUT holds a
// secret. The harness records every message, sends requests concurrently, and checks rules that hold after any attack.
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "@oarlock/client";
import type { Json } from "@oarlock/server-kit/protocol";
import { startRaw, tempFolder, toReply, type RawProcess, type TempFolder, type ToolReply, type Tree } from "@oarlock/testing";
import { expect } from "vitest";

/** Only a server that hangs takes so long, also on a busy machine. */
const DEFAULT_DEADLINE_MS = 30_000;
/** Longer than any test: the reader of responses ends with the process. */
const READ_DEADLINE_MS = 600_000;
const EXCERPT_CHARACTERS = 300;

export abstract class StressHarness implements AsyncDisposable {
  /** A text that is stored in OUT and must never leave the server. */
  readonly secret = `canary-${randomBytes(12).toString("hex")}`;
  readonly root: string;
  readonly out: string;
  readonly #base: TempFolder;
  readonly #deadlineMs: number;
  readonly #lines: string[] = [];
  readonly #pending = new Map<number, (response: Json) => void>();
  readonly #responseCounts = new Map<unknown, number>();
  #server: RawProcess | undefined;
  #lastId = 0;

  /** `tree` is written beside ROOT and OUT; `deadlineMs` is the deadline of each response (default 30,000). */
  constructor({ tree = {}, deadlineMs = DEFAULT_DEADLINE_MS }: { tree?: Tree; deadlineMs?: number } = {}) {
    this.#base = tempFolder({ ROOT: {}, OUT: { "secret.txt": this.secret }, ...tree });
    this.root = this.#base.at("ROOT");
    this.out = this.#base.at("OUT");
    this.#deadlineMs = deadlineMs;
  }

  get base(): string {
    return this.#base.path;
  }

  /** A file that exists only after an attack has run a program. */
  get executionMark(): string {
    return join(this.base, "MARK");
  }

  get server(): RawProcess {
    if (this.#server === undefined) throw new Error("The server is not running: call start first.");
    return this.#server;
  }

  get pid(): number {
    return this.server.pid;
  }

  at(...names: string[]): string {
    return join(this.root, ...names);
  }

  protected async launch(command: Command): Promise<void> {
    this.#server = startRaw(command);
    await this.#server.handshake();
    void this.#readResponses(this.#server);
  }

  async #readResponses(server: RawProcess): Promise<void> {
    for (;;) {
      const line = await server.line(READ_DEADLINE_MS).catch(() => undefined);
      if (line === undefined) return;
      this.#lines.push(line);
      const message = JSON.parse(line) as Json;
      if (message["method"] !== undefined) continue;
      this.#responseCounts.set(message["id"], this.responseCount(message["id"]) + 1);
      const resolve = this.#pending.get(message["id"] as number);
      this.#pending.delete(message["id"] as number);
      resolve?.(message);
    }
  }

  /** How many responses with this id were received. */
  responseCount(id: unknown): number {
    return this.#responseCounts.get(id) ?? 0;
  }

  /** Sends a request; rejects without a response at the deadline. */
  request(method: string, params: Json, deadlineMs = this.#deadlineMs): Promise<Json> {
    const id = this.sendRequest(method, params);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const request = `${method} ${JSON.stringify(params).slice(0, EXCERPT_CHARACTERS)}`;
        reject(new Error(`No response to ${request} within ${deadlineMs} ms; stderr: ${this.server.stderr}`));
      }, deadlineMs);
      this.#pending.set(id, (response) => (clearTimeout(timer), resolve(response)));
    });
  }

  /** Sends a request whose response is not awaited; returns its id. */
  protected sendRequest(method: string, params: Json): number {
    const id = ++this.#lastId;
    void this.server.send({ jsonrpc: "2.0", id, method, params });
    return id;
  }

  /** Calls a tool; returns the response message. */
  call(name: string, args: Json, deadlineMs?: number): Promise<Json> {
    return this.request("tools/call", { name, arguments: args }, deadlineMs);
  }

  /** Calls a tool; returns its reply as text. */
  async reply(name: string, args: Json, deadlineMs?: number): Promise<ToolReply> {
    return toReply(await this.call(name, args, deadlineMs));
  }

  /** Rule (a): neither output nor stderr holds the secret, in plain text or Base64. */
  protected expectSecretKept(): void {
    const encodings = [0, 1, 2].map((offset) => Buffer.from(this.secret.slice(offset)).toString("base64").slice(0, 30));
    const outputs = [...this.#lines, this.server.stderr];
    for (const text of [this.secret, ...encodings])
      expect(
        outputs.filter((output) => output.includes(text)).map((output) => output.slice(0, EXCERPT_CHARACTERS)),
        "(a) the secret is not disclosed",
      ).toEqual([]);
  }

  /** Rule (c): no attack has run a program. */
  protected expectNothingExecuted(): void {
    expect(existsSync(this.executionMark), "(c) nothing was executed").toBe(false);
  }

  /** Rule (f): every request has exactly one response. `unreadable` is the number of messages without a readable id. */
  protected expectAnsweredOnce(unreadable = 0): void {
    expect(this.#pending.size, "(f) every request has a response").toBe(0);
    const wrong = [...this.#responseCounts].filter(([id, count]) => count !== (id === null ? unreadable : 1));
    expect(wrong, "(f) every request has exactly one response").toEqual([]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]();
    await this.#base[Symbol.asyncDispose]();
  }
}
