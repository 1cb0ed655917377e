// The SQLite server under attack, in memory: a database in ROOT is served, its sibling OUT holds a secret. The rules of the catalogue that
// hold after each case are (a) to (f); stress.ts has the same for a server in a process of its own.
import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { linkMemory } from "@oarlock/server-kit";
import type { Json } from "@oarlock/server-kit/protocol";
import { listTree, openFiles, tempFolder, toReply, type TempFolder, type ToolReply } from "@oarlock/testing";
import { expect } from "vitest";
import { createServer, type Options } from "../../src/server.ts";
import { makeDatabase } from "../support/databases.ts";
import { keepDefaultTools } from "../support/target.ts";

/** One table for each kind of access: rows, a view, an index, full-text and spatial tables, counters and statistics. */
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
export const PLAIN = "CREATE TABLE plain (word TEXT); INSERT INTO plain VALUES ('plain');";

/** The statement that writes the secret into a database of OUT. */
export const hidden = (secret: string): string => `CREATE TABLE users (secret TEXT); INSERT INTO users VALUES ('${secret}')`;

const REVISION = "2025-11-25";

export interface FortressOptions extends Omit<Options, "databases"> {
  /** The content of the database. */
  readonly sql?: string;
  /** Further databases in ROOT, which `prepare` makes; served by the names of their files. */
  readonly others?: readonly string[];
  /** Changes files before the server starts. */
  readonly prepare?: (fortress: Fortress) => void;
  /** Names the folder for import, export and backup in ROOT. */
  readonly files?: string;
}

export class Fortress implements AsyncDisposable {
  /** A text that is stored in OUT and must never leave the server. */
  readonly secret = `canary-${randomBytes(12).toString("hex")}`;
  readonly file: string;
  readonly #folder: TempFolder = tempFolder({ ROOT: {}, OUT: { "secret.txt": this.secret } });
  readonly #wire;
  readonly #received: string[] = [];
  readonly #pending = new Map<unknown, (response: Json) => void>();
  readonly #responseCounts = new Map<unknown, number>();
  readonly #outside: Record<string, string>;
  #lastId = 0;

  constructor({ sql = FORTRESS, others = [], prepare, files, ...options }: FortressOptions) {
    this.file = makeDatabase(this.at("main.db"), sql + PLAIN);
    makeDatabase(join(this.out, "outside.db"), hidden(this.secret));
    prepare?.(this);
    const databases = ["main.db", ...others].map((name) => ({ name: basename(name, extname(name)), file: this.at(name), write: true }));
    const filesDir = files === undefined ? {} : { filesDir: this.at(files) };
    const { server } = createServer({ ...options, ...filesDir, databases });
    this.#wire = linkMemory(files === undefined ? keepDefaultTools(server) : server);
    this.#wire.onText = (text) => this.#receive(text);
    this.#outside = this.#listOutside();
  }

  async start(): Promise<this> {
    await this.request("initialize", { protocolVersion: REVISION, capabilities: {}, clientInfo: { name: "attacker", version: "1" } });
    this.#wire.send(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
    return this;
  }

  /** The folder that is served. */
  get root(): string {
    return this.#folder.at("ROOT");
  }

  /** The folder that is not served. */
  get out(): string {
    return this.#folder.at("OUT");
  }

  /** A path in ROOT. */
  at(...names: string[]): string {
    return join(this.root, ...names);
  }

  /** Everything in ROOT. */
  inside(): Record<string, string> {
    return listTree(this.root);
  }

  #listOutside(): Record<string, string> {
    return Object.fromEntries(Object.entries(listTree(this.#folder.path)).filter(([name]) => !name.startsWith("ROOT/")));
  }

  #receive(text: string): void {
    this.#received.push(text);
    const message = JSON.parse(text) as Json;
    if (message["method"] !== undefined) return;
    const { id } = message;
    this.#responseCounts.set(id, (this.#responseCounts.get(id) ?? 0) + 1);
    this.#pending.get(id)?.(message);
    this.#pending.delete(id);
  }

  /** Sends a request; returns the response message. */
  request(method: string, params: Json): Promise<Json> {
    const id = ++this.#lastId;
    const { promise, resolve } = Promise.withResolvers<Json>();
    this.#pending.set(id, resolve);
    this.#wire.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    return promise;
  }

  async reply(name: string, args: Json): Promise<ToolReply> {
    return toReply(await this.request("tools/call", { name, arguments: args }));
  }

  read(query: string, more: Json = {}): Promise<ToolReply> {
    return this.reply("read_query", { query, ...more });
  }

  write(query: string, more: Json = {}): Promise<ToolReply> {
    return this.reply("write_query", { query, ...more });
  }

  /** The rows of a query that must succeed. */
  async rows(query: string, more: Json = {}): Promise<unknown> {
    const { failed, text, structured } = await this.read(query, more);
    expect(failed, text).toBe(false);
    return structured["rows"];
  }

  /** Rule (d): a plain request has the right reply. */
  async checkHealth(): Promise<void> {
    expect(await this.read("SELECT word FROM plain", { database: "main" })).toMatchObject({
      failed: false,
      structured: { rows: [["plain"]] },
    });
  }

  async checkRules(): Promise<void> {
    await this.checkHealth();
    const encodings = [0, 1, 2].map((offset) => Buffer.from(this.secret.slice(offset)).toString("base64").slice(0, 30));
    for (const text of [this.secret, ...encodings])
      expect(
        this.#received.some((line) => line.includes(text)),
        "(a) the secret is not disclosed",
      ).toBe(false);
    expect(this.#listOutside(), "(b) OUT is unchanged, (c) nothing was executed, (e) no file is left").toEqual(this.#outside);
    const names = readdirSync(this.root).filter((name) => name.startsWith("main.db") && !/^main\.db(?:-journal|-wal|-shm)?$/.test(name));
    expect(names, "(e) no file is left beside the database").toEqual([]);
    const open = openFiles(process.pid).filter((path) => path.startsWith(this.root));
    expect(open, "(e) the process of the server has no database open").toEqual([]);
    expect(this.#pending.size, "(f) every request has a response").toBe(0);
    expect(
      [...this.#responseCounts.values()].filter((count) => count !== 1),
      "(f) every request has one response",
    ).toEqual([]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#wire.close();
    await this.#folder[Symbol.asyncDispose]();
  }
}

export const openFortress = (options: FortressOptions = {}): Promise<Fortress> => new Fortress(options).start();
