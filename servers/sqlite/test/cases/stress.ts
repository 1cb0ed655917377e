// The SQLite server under attack, in a process of its own: a database in ROOT is served, its sibling OUT holds a secret. Each case ends
// with the rules (a) to (f) of the catalogue. Most cases need no such process: fortress.ts.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "@oarlock/server-kit/protocol";
import { StressHarness } from "@oarlock-tooling/test-support/stress";
import { childProcesses, listTree, openFiles, waitUntil, writeTree, type ToolReply, type Tree } from "@oarlock/testing";
import { expect } from "vitest";
import { makeDatabase } from "../support/databases.ts";
import { isRunning } from "../support/processes.ts";
import { bin } from "../support/target.ts";
import { FORTRESS, hidden, PLAIN } from "./fortress.ts";

/** Only a server that hangs takes so long, also on a busy machine. */
const TOO_LONG_MS = 30_000;
const EXIT_MS = 20_000;

export interface StressOptions {
  /** The content of the database. */
  readonly sql?: string;
  /** The command line; default: `--read-write` and the database. */
  readonly args?: (base: string) => readonly string[];
  /** Written beside ROOT and OUT. */
  readonly beside?: Tree;
  /** Changes files before the server starts. */
  readonly prepare?: (run: StressRun) => void;
}

export class StressRun extends StressHarness {
  readonly file: string;
  readonly #args: readonly string[];
  readonly #children = new Set<number>();
  #outside: Record<string, string> = {};

  constructor({ sql = FORTRESS, args, beside = {}, prepare }: StressOptions) {
    super({ tree: { TMP: {} } });
    this.file = this.at("main.db");
    this.#args = args?.(this.base) ?? ["--read-write", this.file];
    makeDatabase(this.file, sql + PLAIN);
    makeDatabase(join(this.out, "outside.db"), hidden(this.secret));
    writeTree(this.base, beside);
    prepare?.(this);
  }

  async start(): Promise<void> {
    await this.launch({ ...bin(this.#args, { TMPDIR: join(this.base, "TMP") }), cwd: this.base });
    this.#outside = this.outside();
  }

  /** Everything but ROOT. */
  outside(): Record<string, string> {
    return Object.fromEntries(Object.entries(listTree(this.base)).filter(([name]) => !name.startsWith("ROOT/")));
  }

  /** Everything in ROOT. */
  inside(): Record<string, string> {
    return listTree(this.root);
  }

  /** Sends a call that is too long to be read. The server responds without an id. */
  async sendTooLong(args: Json): Promise<void> {
    const before = this.responseCount(null);
    this.sendCall("read_query", args);
    await waitUntil(
      () => this.responseCount(null),
      (count) => count > before,
      TOO_LONG_MS,
    );
  }

  /** Sends a call whose response is not awaited; returns its id for `cancel`. */
  sendCall(name: string, args: Json): number {
    return this.sendRequest("tools/call", { name, arguments: args });
  }

  async cancel(requestId: number): Promise<void> {
    await this.server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
  }

  read(query: string, more: Json = {}, deadlineMs?: number): Promise<ToolReply> {
    return this.reply("read_query", { query, ...more }, deadlineMs);
  }

  write(query: string, more: Json = {}, deadlineMs?: number): Promise<ToolReply> {
    return this.reply("write_query", { query, ...more }, deadlineMs);
  }

  /** The rows of a query that must succeed. */
  async rows(query: string, more: Json = {}): Promise<unknown> {
    const { failed, text, structured } = await this.read(query, more);
    expect(failed, text).toBe(false);
    return structured["rows"];
  }

  /** Rule (d): a plain request has the right reply. */
  async checkHealth(): Promise<void> {
    expect(await this.read("SELECT word FROM plain")).toMatchObject({ failed: false, structured: { rows: [["plain"]] } });
  }

  /**
   * The rules (a) to (f). `plain` is false if the case makes the database unreadable; `tooLong` is the number of messages that are too
   * long to be read, and have no id to respond to.
   */
  async checkRules({ plain = true, tooLong = 0 } = {}): Promise<void> {
    if (plain) await this.checkHealth();
    this.#noteChildren();
    this.expectSecretKept();
    expect(this.outside(), "(b) OUT is unchanged, and no file is left (e)").toEqual(this.#outside);
    this.expectNothingExecuted();
    const names = readdirSync(this.root).filter((name) => name.startsWith("main.db") && !/^main\.db(?:-journal|-wal|-shm)?$/.test(name));
    expect(names, "(e) no file is left beside the database").toEqual([]);
    expect(
      openFiles(this.pid).filter((path) => path.startsWith(this.root)),
      "(e) the server process has no database open",
    ).toEqual([]);
    this.expectAnsweredOnce(tooLong);
    expect(this.server.stderr).not.toMatch(/Unhandled|at .*\.ts:\d+|Internal error/i);
  }

  #noteChildren(): void {
    for (const pid of childrenOf(this.pid)) this.#children.add(pid);
  }

  /** Closes the input of the server, and expects its child processes to exit. */
  override async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#noteChildren();
      this.server.end();
      await this.server.exit(EXIT_MS).catch(() => undefined);
      await this.server[Symbol.asyncDispose]();
      await waitUntil(
        () => [...this.#children].filter(isRunning),
        (left) => left.length === 0,
        EXIT_MS,
      );
    } finally {
      await super[Symbol.asyncDispose]();
    }
  }
}

export async function startStress(options: StressOptions = {}): Promise<StressRun> {
  const stress = new StressRun(options);
  try {
    await stress.start();
    return stress;
  } catch (error) {
    await stress[Symbol.asyncDispose]();
    throw error;
  }
}

/** The database processes of a server; none after its exit. */
export const childrenOf = (pid: number): number[] => (isRunning(pid) ? childProcesses(pid) : []);
