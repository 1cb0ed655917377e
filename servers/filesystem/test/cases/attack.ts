// The filesystem server under attack in this process. Each case ends with the rules (a) to (f) of the catalogue.
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import type { Server } from "@oarlock/server-kit";
import type { Json } from "@oarlock/server-kit/protocol";
import { childProcesses, hashTree, tempFolder, toReply, writeTree, type TempFolder, type ToolReply, type Tree } from "@oarlock/testing";
import { expect } from "vitest";
import { openHandles } from "../support/open-handles.ts";
import { RawWire } from "../support/raw-wire.ts";
import { targetOf } from "../support/target.ts";
import { temporaryNames, type Attacked, type AttackOptions } from "./attacked.ts";
import { FACTS } from "../support/served-folder.ts";

export class Attack implements Attacked {
  readonly secret: string;
  readonly #base: TempFolder;
  readonly #wire: RawWire;
  readonly #outHash: string;
  readonly #childrenBefore = childProcesses(process.pid);
  readonly #handles: readonly string[];
  readonly #pending = new Map<unknown, (response: Json) => void>();
  readonly #responseCounts = new Map<unknown, number>();
  #lastId = 0;

  /** Starts a server whose ROOT holds `tree` beside `plain.txt`. */
  static async start(tree: Tree, { beside = {}, directories, deny = [] }: AttackOptions): Promise<Attack> {
    const secret = `canary-${randomBytes(12).toString("hex")}`;
    const base = tempFolder(beside);
    base.write({ ROOT: { "plain.txt": "plain\n" }, OUT: { "secret.txt": secret, sub: { "deep.txt": secret } } });
    writeTree(base.at("ROOT"), tree);
    const { server } = await targetOf({ directories: directories?.(base.path) ?? [base.at("ROOT")], deny });
    const attack = new Attack(base, secret, server());
    await attack.#initialize();
    return attack;
  }

  private constructor(base: TempFolder, secret: string, server: Server) {
    this.#base = base;
    this.secret = secret;
    this.#outHash = hashTree(this.out);
    this.#handles = openHandles(base.path);
    this.#wire = new RawWire(server, (message) => this.#receive(message));
  }

  get base(): string {
    return this.#base.path;
  }

  get root(): string {
    return this.#base.at("ROOT");
  }

  get out(): string {
    return this.#base.at("OUT");
  }

  at(...names: string[]): string {
    return this.#base.at("ROOT", ...names);
  }

  request(method: string, params: Json): Promise<Json> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      this.#pending.set(id, resolve);
      this.#wire.send({ jsonrpc: "2.0", id, method, params });
    });
  }

  call(name: string, args: Json): Promise<Json> {
    return this.request("tools/call", { name, arguments: args });
  }

  async reply(name: string, args: Json): Promise<ToolReply> {
    const reply = toReply(await this.call(name, args));
    return { ...reply, text: reply.text.replace(FACTS, "") };
  }

  async checkRules({ plain = true } = {}): Promise<void> {
    if (plain) expect(await this.reply("read_text_file", { path: this.at("plain.txt") })).toMatchObject({ text: "plain\n", failed: false });
    for (const text of [this.secret, ...[0, 1, 2].map((from) => Buffer.from(this.secret.slice(from)).toString("base64").slice(0, 30))])
      expect(
        [...this.#wire.texts, ...this.#wire.log].filter((output) => output.includes(text)),
        "(a) the secret is not disclosed",
      ).toEqual([]);
    expect(hashTree(this.out), "(b) OUT is unchanged").toBe(this.#outHash);
    expect(existsSync(this.#base.at("MARK")), "(c) nothing was executed").toBe(false);
    expect(temporaryNames(this.base), "(e) no temporary file is left").toEqual([]);
    const childrenSince = () =>
      childProcesses(process.pid).flatMap((child) => (this.#childrenBefore.includes(child) ? [] : [`${child} ${commandOf(child)}`]));
    await expect.poll(childrenSince, { message: "(e) no child process is left" }).toEqual([]);
    await expect.poll(() => openHandles(this.base), { message: "(e) no file is left open" }).toEqual(this.#handles);
    expect(this.#pending.size, "(f) every request has a response").toBe(0);
    expect(
      [...this.#responseCounts].filter(([, count]) => count !== 1),
      "(f) every request has exactly one response",
    ).toEqual([]);
    expect(this.#wire.log.filter((entry) => entry.startsWith("error"))).toEqual([]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#wire[Symbol.asyncDispose]();
    await this.#base[Symbol.asyncDispose]();
  }

  async #initialize(): Promise<void> {
    const initialized = new Promise((resolve) => this.#pending.set("raw-initialize", resolve));
    this.#wire.initialize();
    await initialized;
    this.#wire.initialized();
  }

  #receive(message: Json): void {
    if (message["method"] !== undefined) return;
    const id = message["id"];
    this.#responseCounts.set(id, (this.#responseCounts.get(id) ?? 0) + 1);
    this.#pending.get(id)?.(message);
    this.#pending.delete(id);
  }
}

/** Starts a server in this process, whose ROOT holds `tree` beside `plain.txt`. */
export const startAttack = (tree: Tree = {}, options: AttackOptions = {}): Promise<Attack> => Attack.start(tree, options);

/** For a failure: tests of other servers in the same worker start processes too. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ");
  } catch {
    return "";
  }
}
