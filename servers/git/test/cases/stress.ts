// A server under attack: the repositories of ROOT are served, its sibling OUT holds a secret and a repository of its own. Everything
// that goes over the wire is kept, and each case is judged by the rules (a) to (f) of its catalogue.
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "@oarlock/server-kit/protocol";
import { hashTree, expectWithin, startRaw, tempFolder, writeTree, type RawProcess, type TempFolder, type Tree } from "@oarlock/testing";
import { expect } from "vitest";
import { makeRepository, type TestRepository } from "../support/repository.ts";
import { bin } from "../support/target.ts";
import { TracedGit } from "./traced-git.ts";

/** Each request has its answer within this time. */
const DEADLINE_MS = 5000;

export interface StressOptions {
  /** Instead of `--repositories-root ROOT`. */
  readonly serve?: (base: string) => readonly string[];
  readonly args?: readonly string[];
  readonly env?: (base: string) => Readonly<Record<string, string>>;
  /** Without the traced git: as an operator starts it. */
  readonly untraced?: boolean;
  /** Beside ROOT and OUT. */
  readonly beside?: Tree;
}

export class StressRun implements AsyncDisposable {
  readonly canary = `canary-${randomBytes(12).toString("hex")}`;
  readonly root: string;
  readonly out: string;
  /** What the server must never say in any form. */
  readonly #secrets: readonly string[];
  readonly #base: TempFolder;
  readonly #options: StressOptions;
  readonly #traced: TracedGit;
  readonly #lines: string[] = [];
  readonly #open = new Map<number, (answer: Json) => void>();
  readonly #answered = new Map<unknown, number>();
  #server: RawProcess | undefined;
  #asked = 0;
  #handles: readonly string[] = [];
  #before = "";

  constructor(options: StressOptions = {}) {
    this.#options = options;
    this.#base = tempFolder({
      ROOT: {},
      trace: {},
      OUT: { "secret.txt": this.canary, sub: { "deep.txt": this.canary } },
      ...options.beside,
    });
    this.root = this.#base.at("ROOT");
    this.out = this.#base.at("OUT");
    makeRepository(this.at("plain"), { "plain.txt": "plain\n" });
    makeRepository(join(this.out, "repo"), { "canary.txt": this.canary });
    this.#secrets = [this.canary, ...[0, 1, 2].map((skip) => Buffer.from(this.canary.slice(skip)).toString("base64").slice(0, 30))];
    this.#traced = new TracedGit(this.#base.at("trace"));
  }

  get base(): string {
    return this.#base.path;
  }

  /** The file that a payload makes when it runs. */
  get mark(): string {
    return join(this.base, "MARK");
  }

  get server(): RawProcess {
    if (this.#server === undefined) throw new Error("the stress has not begun");
    return this.#server;
  }

  /** A path below ROOT. */
  at(...names: string[]): string {
    return join(this.root, ...names);
  }

  /** A new repository below ROOT. */
  repository(name: string, tree: Tree = { "f.txt": "one\n" }): TestRepository {
    return makeRepository(this.at(name), tree);
  }

  write(tree: Tree): void {
    writeTree(this.base, tree);
  }

  /** After everything hostile is in its place: starts the server, with a handshake and a first call. */
  async begin(): Promise<this> {
    const { serve, args = [], env, untraced = false } = this.#options;
    const line = [
      ...(serve?.(this.base) ?? ["--repositories-root", this.root]),
      ...(untraced ? [] : [`--git=${this.#traced.path}`]),
      "--toolsets=default,remote,integrate",
      "--allow-discard",
      "--rate-limit=10000/s",
      ...args,
    ];
    this.#server = startRaw(bin(line, env?.(this.base)));
    await this.#server.handshake();
    void this.#listen(this.#server);
    await this.plain(DEADLINE_MS);
    this.#handles = handles(this.server.pid);
    this.#before = hashTree(this.out);
    return this;
  }

  async #listen(server: RawProcess): Promise<void> {
    for (;;) {
      const line = await server.line(600_000).catch(() => undefined);
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
    void this.server.send({ jsonrpc: "2.0", id, method, params });
    return new Promise((resolve, reject) => {
      const late = setTimeout(
        () =>
          reject(new Error(`no answer to ${method} ${JSON.stringify(params).slice(0, 300)} in ${deadlineMs} ms; ${this.server.stderr}`)),
        deadlineMs,
      );
      this.#open.set(id, (answer) => (clearTimeout(late), resolve(answer)));
    });
  }

  call(name: string, args: Json, deadlineMs?: number): Promise<Json> {
    return this.ask("tools/call", { name, arguments: args }, deadlineMs);
  }

  /** What a call says, and whether it failed. */
  async says(name: string, args: Json, deadlineMs?: number): Promise<RawAnswer> {
    return spoken(await this.call(name, args, deadlineMs));
  }

  /** (d) a plain request is answered rightly within a second. */
  async plain(withinMs = 1000): Promise<void> {
    const where = this.#options.serve === undefined ? { repo_path: this.at("plain") } : {};
    await expectWithin(withinMs, async () => {
      const { text, failed } = await this.says("git_log", { ...where, max_count: 1 });
      if (this.#options.serve === undefined)
        expect({ text, failed }).toMatchObject({ failed: false, text: expect.stringContaining("first") });
    });
  }

  /** The rules (a) to (f), and that nothing ran but git. */
  async judge({ mayRun = [] as readonly string[] } = {}): Promise<void> {
    await this.plain();
    const strangers = this.#traced.strangers().filter((command) => !mayRun.includes(command));
    this.#traced.forget();
    const said = [...this.#lines, this.server.stderr];
    for (const secret of this.#secrets)
      expect(
        said.filter((text) => text.includes(secret)).map((text) => text.slice(0, 600)),
        "(a) the canary shows nowhere",
      ).toEqual([]);
    expect(hashTree(this.out), "(b) OUT is as it was").toBe(this.#before);
    expect(existsSync(this.mark), "(c) nothing was run").toBe(false);
    expect(strangers, "(c) git started nothing but git").toEqual([]);
    expect(tempNames(this.base), "(e) no temporary file is left").toEqual([]);
    await expect.poll(() => children(this.server.pid), { message: "(e) no child is left", timeout: 2000 }).toBe("");
    await expect.poll(() => handles(this.server.pid), { message: "(e) no handle is left", timeout: 2000 }).toEqual(this.#handles);
    expect(this.#open.size, "(f) everything was answered").toBe(0);
    expect(
      [...this.#answered].filter(([, times]) => times !== 1),
      "(f) and once",
    ).toEqual([]);
    expect(this.server.stderr).not.toMatch(/Unhandled|at .*\.ts:\d+|error ref/i);
  }

  /** Every git process since the last judgement, as the server started it. */
  get ran(): readonly string[] {
    return this.#traced
      .started()
      .filter(({ by }) => by === "server")
      .map(({ argv }) => argv.join(" "));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]();
    await this.#base[Symbol.asyncDispose]();
  }
}

/** A stress on ROOT, prepared by `prepare` before the server starts. */
export async function besiege(prepare: (stress: StressRun) => void = () => {}, options: StressOptions = {}): Promise<StressRun> {
  const stress = new StressRun(options);
  try {
    prepare(stress);
    return await stress.begin();
  } catch (error) {
    await stress[Symbol.asyncDispose]();
    throw error;
  }
}

export interface RawAnswer {
  readonly text: string;
  readonly failed: boolean;
}

/** The text of an answer, whether it is a result or an error. */
export function spoken({ result, error }: Json): RawAnswer {
  if (error !== undefined) return { text: JSON.stringify(error), failed: true };
  const { content, isError } = result as { content?: { text?: string }[]; isError?: boolean };
  return {
    text: content?.map((block) => block.text ?? JSON.stringify(block)).join("\n") ?? JSON.stringify(result),
    failed: isError === true,
  };
}

/** Files and directories that a process holds open (Linux; elsewhere they are not counted). */
function handles(pid: number): string[] {
  if (process.platform !== "linux") return [];
  return readdirSync(`/proc/${pid}/fd`)
    .flatMap((fd) => {
      try {
        const target = readlinkSync(`/proc/${pid}/fd/${fd}`);
        return target.startsWith("/") ? [target] : [];
      } catch {
        return []; // closed meanwhile
      }
    })
    .toSorted();
}

const children = (pid: number): string =>
  process.platform === "linux" ? readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim() : "";

/** Names of locks and half-written objects. */
function tempNames(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.lock$|\/tmp_obj_|\/tmp_pack_|\.oarlock/.test(name));
}
