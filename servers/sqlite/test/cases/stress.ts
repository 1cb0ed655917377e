// A server under attack: a database in ROOT is served, its sibling OUT holds a secret. Everything that goes over the wire is kept, and
// each case is judged by the rules (a) to (f) of its catalogue.
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Json } from "@oarlock/server-kit/protocol";
import { startRaw, tempFolder, listTree, writeTree, type RawProcess, type TempFolder, type Tree } from "@oarlock/testing";
import { expect } from "vitest";
import { makeDatabase } from "../support/databases.ts";
import { bin } from "../support/target.ts";

/** Each request has its answer within this time: 5 seconds on a machine that does nothing else. */
const DEADLINE_MS = 15_000;
/** A plain request has it within a second on a machine that does nothing else. */
const PLAIN_MS = 5000;

/** A table for every way in: rows, a view, an index, full-text and spatial tables, counters and statistics. */
export const FORTRESS = `
  CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, n INTEGER);
  INSERT INTO t VALUES (1, 'one', 10), (2, 'two', 20), (3, 'three', 30);
  CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT, t_id INTEGER REFERENCES t(id));
  INSERT INTO counted (t_id) VALUES (1), (2);
  CREATE VIEW names AS SELECT name FROM t;
  CREATE INDEX t_n ON t(n);
  CREATE VIRTUAL TABLE texts USING fts5(body);
  INSERT INTO texts VALUES ('hello world');
  CREATE VIRTUAL TABLE older USING fts4(body);
  INSERT INTO older VALUES ('hello world');
  CREATE VIRTUAL TABLE places USING rtree(id, low, high);
  INSERT INTO places VALUES (1, 2, 3);
  ANALYZE;
`;
const PLAIN = "CREATE TABLE plain (word TEXT); INSERT INTO plain VALUES ('plain');";

export interface SiegeOptions {
  /** Makes the database. */
  readonly sql?: string;
  /** The command line; default: `--read-write` and the database. */
  readonly args?: (base: string) => readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Beside ROOT and OUT, and in them. */
  readonly beside?: Tree;
  /** Changes what was made before the server starts. */
  readonly prepare?: (siege: Siege) => void;
}

export interface Said {
  readonly text: string;
  readonly failed: boolean;
  readonly structured: Json;
}

export class Siege implements AsyncDisposable {
  readonly canary = `canary-${randomBytes(12).toString("hex")}`;
  readonly root: string;
  readonly out: string;
  readonly file: string;
  /** What the server must never say in any form. */
  readonly #secrets: readonly string[];
  readonly #base: TempFolder;
  readonly #server: RawProcess;
  readonly #lines: string[] = [];
  readonly #open = new Map<number, (answer: Json) => void>();
  readonly #answered = new Map<unknown, number>();
  #asked = 0;
  #elsewhere: Record<string, string> = {};
  #children = new Set<string>();

  constructor({ sql = FORTRESS, args, env, beside = {}, prepare }: SiegeOptions) {
    this.#base = tempFolder({ ROOT: {}, TMP: {}, OUT: { "secret.txt": this.canary } });
    this.root = this.#base.at("ROOT");
    this.out = this.#base.at("OUT");
    this.file = this.at("main.db");
    makeDatabase(this.file, sql + PLAIN);
    makeDatabase(join(this.out, "outside.db"), `CREATE TABLE users (secret TEXT); INSERT INTO users VALUES ('${this.canary}')`);
    writeTree(this.#base.path, beside);
    this.#secrets = [this.canary, ...[0, 1, 2].map((skip) => Buffer.from(this.canary.slice(skip)).toString("base64").slice(0, 30))];
    prepare?.(this);
    const command = bin(args?.(this.#base.path) ?? ["--read-write", this.file], { TMPDIR: this.#base.at("TMP"), ...env });
    this.#server = startRaw({ ...command, cwd: this.#base.path });
  }

  get base(): string {
    return this.#base.path;
  }

  get pid(): number {
    return this.#server.pid;
  }

  get server(): RawProcess {
    return this.#server;
  }

  at(...names: string[]): string {
    return join(this.root, ...names);
  }

  async begin(): Promise<void> {
    await this.#server.handshake();
    void this.#listen();
    this.#elsewhere = this.elsewhere();
  }

  /** Everything but ROOT. */
  elsewhere(): Record<string, string> {
    return Object.fromEntries(Object.entries(listTree(this.base)).filter(([name]) => !name.startsWith("ROOT/")));
  }

  /** Everything in ROOT. */
  inside(): Record<string, string> {
    return listTree(this.root);
  }

  async #listen(): Promise<void> {
    for (;;) {
      const line = await this.#server.line(600_000).catch(() => undefined);
      if (line === undefined) return;
      this.#lines.push(line);
      const message = JSON.parse(line) as Json;
      if (message["method"] !== undefined) continue;
      this.#answered.set(message["id"], (this.#answered.get(message["id"]) ?? 0) + 1);
      const settle = this.#open.get(message["id"] as number);
      this.#open.delete(message["id"] as number);
      settle?.(message);
    }
  }

  /** One request; its answer must come in time. */
  ask(method: string, params: Json, deadlineMs = DEADLINE_MS): Promise<Json> {
    const id = ++this.#asked;
    void this.#server.send({ jsonrpc: "2.0", id, method, params });
    return new Promise((resolve, reject) => {
      const late = setTimeout(
        () =>
          reject(new Error(`no answer to ${method} ${JSON.stringify(params).slice(0, 300)} in ${deadlineMs} ms; ${this.#server.stderr}`)),
        deadlineMs,
      );
      this.#open.set(id, (answer) => (clearTimeout(late), resolve(answer)));
    });
  }

  /** A call that is too long to be read: its answer can only have no id. */
  async tooLarge(args: Json): Promise<void> {
    const before = this.#answered.get(null) ?? 0;
    await this.#server.send({ jsonrpc: "2.0", id: ++this.#asked, method: "tools/call", params: { name: "read_query", arguments: args } });
    for (const until = performance.now() + DEADLINE_MS; (this.#answered.get(null) ?? 0) === before; await sleep(10))
      expect(performance.now(), "an answer without an id").toBeLessThan(until);
  }

  /** Cancels the request that was sent last; it is not answered any more. */
  async cancelLast(): Promise<void> {
    this.#open.delete(this.#asked);
    await this.#server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: this.#asked } });
  }

  /** What a tool says, and whether it failed. */
  async says(name: string, args: Json, deadlineMs?: number): Promise<Said> {
    return spoken(await this.ask("tools/call", { name, arguments: args }, deadlineMs));
  }

  read(query: string, more: Json = {}, deadlineMs?: number): Promise<Said> {
    return this.says("read_query", { query, ...more }, deadlineMs);
  }

  write(query: string, more: Json = {}, deadlineMs?: number): Promise<Said> {
    return this.says("write_query", { query, ...more }, deadlineMs);
  }

  /** The rows of a query that must go well. */
  async rows(query: string, more: Json = {}): Promise<unknown> {
    const said = await this.read(query, more);
    expect(said.failed, said.text).toBe(false);
    return said.structured["rows"];
  }

  /** (d) a plain request is answered rightly, and soon. */
  async plain(deadlineMs = PLAIN_MS): Promise<void> {
    const said = await this.read("SELECT word FROM plain", {}, deadlineMs);
    expect(said).toMatchObject({ failed: false, structured: { rows: [["plain"]] } });
  }

  /** The rules (a) to (f). `plain` is false where the database cannot be read. `unread` counts lines that had no id to answer to. */
  async judge({ plain = true, unread = 0 } = {}): Promise<void> {
    if (plain) await this.plain();
    for (const child of childrenOf(this.pid)) this.#children.add(child);
    const said = [...this.#lines, this.#server.stderr];
    for (const secret of this.#secrets)
      expect(
        said.filter((text) => text.includes(secret)).map((text) => text.slice(0, 300)),
        "(a) the canary shows nowhere",
      ).toEqual([]);
    expect(this.elsewhere(), "(b) OUT is as it was, and no file is left anywhere (e)").toEqual(this.#elsewhere);
    expect(existsSync(join(this.base, "MARK")), "(c) nothing was run").toBe(false);
    const names = readdirSync(this.root).filter((name) => name.startsWith("main.db") && !/^main\.db(?:-journal|-wal|-shm)?$/.test(name));
    expect(names, "(e) nothing is left beside the database").toEqual([]);
    expect(
      handles(this.pid).filter((path) => path.startsWith(this.root)),
      "(e) the server itself holds no database",
    ).toEqual([]);
    expect(this.#open.size, "(f) everything was answered").toBe(0);
    expect(
      [...this.#answered].filter(([id, times]) => times !== (id === null ? unread : 1)),
      "(f) and once",
    ).toEqual([]);
    expect(this.#server.stderr).not.toMatch(/Unhandled|at .*\.ts:\d+|Internal error/i);
  }

  /** Ends the server by the end of its input; nothing may be left of it. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of childrenOf(this.pid)) this.#children.add(child);
    this.#server.end();
    await this.#server.exit(8000).catch(() => undefined);
    await this.#server[Symbol.asyncDispose]();
    const left = (): string[] => [...this.#children].filter((pid) => existsSync(`/proc/${pid}`));
    for (const until = performance.now() + 20_000; left().length > 0 && performance.now() < until;) await sleep(20);
    expect(left(), "(e) no child is left").toEqual([]);
    await this.#base[Symbol.asyncDispose]();
  }
}

export async function besiege(options: SiegeOptions = {}): Promise<Siege> {
  const siege = new Siege(options);
  await siege.begin();
  return siege;
}

/** What an answer says, whether it is a result or an error. */
export function spoken({ result, error }: Json): Said {
  if (error !== undefined) return { text: JSON.stringify(error), failed: true, structured: {} };
  const { content, isError, structuredContent } = result as { content?: { text?: string }[]; isError?: boolean; structuredContent?: Json };
  return {
    text: content?.map((block) => block.text ?? JSON.stringify(block)).join("\n") ?? JSON.stringify(result),
    failed: isError === true,
    structured: structuredContent ?? {},
  };
}

/** The database processes of a server (Linux; elsewhere they are not counted). */
export const childrenOf = (pid: number): string[] => {
  const file = `/proc/${pid}/task/${pid}/children`;
  return existsSync(file) ? readFileSync(file, "utf8").split(" ").filter(Boolean) : [];
};

/** Files and directories that a process holds open (Linux). */
function handles(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((fd) => {
    try {
      return [readlinkSync(join(folder, fd))];
    } catch {
      return []; // closed meanwhile
    }
  });
}
