// A server under attack: ROOT is served, its sibling OUT holds a secret. Everything that goes over the wire is kept, and each case is
// judged by the rules (a) to (f) of its catalogue.
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "@oarlock/server-kit/protocol";
import { hashTree, expectWithin, startRaw, tempFolder, writeTree, type RawProcess, type TempFolder, type Tree } from "@oarlock/testing";
import { expect } from "vitest";
import { bin } from "../support/target.ts";

/** Each request has its answer within this time. */
const DEADLINE_MS = 5000;

export interface SiegeOptions {
  /** Instead of ROOT itself: as the command line spells it. */
  readonly directories?: (base: string) => readonly string[];
  readonly args?: readonly string[];
  /** Beside ROOT and OUT. */
  readonly beside?: Tree;
}

export class Siege implements AsyncDisposable {
  readonly canary = `canary-${randomBytes(12).toString("hex")}`;
  readonly root: string;
  readonly out: string;
  /** What the server must never say in any form. */
  readonly #secrets: readonly string[];
  readonly #base: TempFolder;
  readonly #server: RawProcess;
  readonly #lines: string[] = [];
  readonly #open = new Map<number, (answer: Json) => void>();
  readonly #answered = new Map<unknown, number>();
  #asked = 0;
  #handles: readonly string[] = [];
  #before = "";

  constructor(tree: Tree, options: SiegeOptions) {
    this.#base = tempFolder({
      ROOT: { "plain.txt": "plain\n" },
      OUT: { "secret.txt": this.canary, sub: { "deep.txt": this.canary } },
      ...options.beside,
    });
    this.root = this.#base.at("ROOT");
    this.out = this.#base.at("OUT");
    writeTree(this.root, tree);
    this.#secrets = [this.canary, ...[0, 1, 2].map((skip) => Buffer.from(this.canary.slice(skip)).toString("base64").slice(0, 30))];
    this.#server = startRaw(bin([...(options.args ?? []), ...(options.directories?.(this.#base.path) ?? [this.root])]));
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

  /** After the handshake and a first call, when everything that stays open is open. */
  async begin(): Promise<void> {
    await this.#server.handshake();
    void this.#listen();
    await this.plain();
    await this.call("search_files", { path: this.root, pattern: "*.none" });
    this.#handles = handles(this.pid);
    this.#before = hashTree(this.out);
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

  call(name: string, args: Json, deadlineMs?: number): Promise<Json> {
    return this.ask("tools/call", { name, arguments: args }, deadlineMs);
  }

  /** What a call says, and whether it failed. */
  async says(name: string, args: Json, deadlineMs?: number): Promise<{ text: string; failed: boolean }> {
    return spoken(await this.call(name, args, deadlineMs));
  }

  /** (d) a plain request is answered rightly within a second. */
  async plain(path = this.at("plain.txt"), wanted = "plain\n"): Promise<void> {
    await expectWithin(1000, async () =>
      expect(spoken(await this.call("read_text_file", { path }))).toEqual({ text: wanted, failed: false }),
    );
  }

  /** The rules (a) to (f). `plain` is false where the case takes ROOT itself away; `tooLong` counts messages that could not be read. */
  async judge({ plain = true, tooLong = 0 } = {}): Promise<void> {
    if (plain) await this.plain();
    const said = [...this.#lines, this.#server.stderr];
    for (const secret of this.#secrets)
      expect(
        said.filter((text) => text.includes(secret)).map((text) => text.slice(0, 300)),
        "(a) the canary shows nowhere",
      ).toEqual([]);
    expect(hashTree(this.out), "(b) OUT is as it was").toBe(this.#before);
    expect(existsSync(join(this.base, "MARK")), "(c) nothing was run").toBe(false);
    expect(tempNames(this.base), "(e) no temporary file is left").toEqual([]);
    expect(children(this.pid), "(e) no child is left").toBe("");
    await expect.poll(() => handles(this.pid), { message: "(e) no handle is left", timeout: 2000 }).toEqual(this.#handles);
    expect(this.#open.size, "(f) everything was answered").toBe(0);
    // What is too long to be read has no id that could be answered to.
    expect(
      [...this.#answered].filter(([id, times]) => times !== (id === null ? tooLong : 1)),
      "(f) and once",
    ).toEqual([]);
    expect(this.#server.stderr).not.toMatch(/Unhandled|at .*\.ts:\d+|error ref/i);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
    await this.#base[Symbol.asyncDispose]();
  }
}

/** A siege on ROOT, which holds `tree` beside `plain.txt`. */
export async function besiege(tree: Tree = {}, options: SiegeOptions = {}): Promise<Siege> {
  const siege = new Siege(tree, options);
  await siege.begin();
  return siege;
}

/** The text of an answer, whether it is a result or an error. */
export function spoken({ result, error }: Json): { text: string; failed: boolean } {
  if (error !== undefined) return { text: JSON.stringify(error), failed: true };
  const { content, isError } = result as { content?: { text?: string }[]; isError?: boolean };
  return {
    text: content?.map((block) => block.text ?? JSON.stringify(block)).join("\n") ?? JSON.stringify(result),
    failed: isError === true,
  };
}

/** Files and directories that a process holds open (Linux; elsewhere they are not counted). */
export function handles(pid: number): string[] {
  if (process.platform !== "linux") return [];
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/${pid}/fd/${fd}`);
      return target.startsWith("/") ? [target] : [];
    } catch {
      return []; // closed meanwhile
    }
  });
}

const children = (pid: number): string => (process.platform === "linux" ? readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8") : "");

function tempNames(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => [
    ...(/^\.oarlock|\.tmp$/.test(entry.name) ? [entry.name] : []),
    ...(entry.isDirectory() ? tempNames(join(folder, entry.name)) : []),
  ]);
}
