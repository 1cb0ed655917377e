// The filesystem server under attack in a process of its own, for what only the system can show: its memory, files and child processes, and
// other programs beside it.
import { StressHarness } from "@oarlock-tooling/test-support/stress";
import type { Json } from "@oarlock/server-kit/protocol";
import { childProcesses, hashTree, openFiles, writeTree, type ToolReply, type Tree } from "@oarlock/testing";
import { expect } from "vitest";
import { FACTS } from "../support/served-folder.ts";
import { bin } from "../support/target.ts";
import { temporaryNames, type AttackOptions, type Attacked } from "./attacked.ts";

export class Stress extends StressHarness implements Attacked {
  #openFiles: readonly string[] = [];
  #outHash = "";

  constructor(tree: Tree, { beside }: AttackOptions) {
    super(beside === undefined ? {} : { tree: beside });
    writeTree(this.base, { ROOT: { "plain.txt": "plain\n" }, OUT: { sub: { "deep.txt": this.secret } } });
    writeTree(this.root, tree);
  }

  /** Starts the server, and calls a tool, so that all files that stay open are open. */
  async start({ deny = [], directories }: AttackOptions): Promise<void> {
    await this.launch(bin([...deny.map((glob) => `--deny=${glob}`), ...(directories?.(this.base) ?? [this.root])]));
    await this.checkHealth();
    await this.call("search_files", { path: this.root, pattern: "*.none" });
    this.#openFiles = openFiles(this.pid);
    this.#outHash = hashTree(this.out);
  }

  /** Without the line of facts at the end of a read. */
  override async reply(name: string, args: Json, deadlineMs?: number): Promise<ToolReply> {
    const reply = await super.reply(name, args, deadlineMs);
    return { ...reply, text: reply.text.replace(FACTS, "") };
  }

  /** Rule (d): a plain request has the right reply, before the deadline that only a server exceeds which hangs. */
  async checkHealth(path = this.at("plain.txt"), expected = "plain\n"): Promise<void> {
    expect(await this.reply("read_text_file", { path })).toMatchObject({ text: expected, failed: false });
  }

  /**
   * The rules (a) to (f). `plain` is false if the case removes ROOT itself; `tooLong` is the number of messages that are too long to
   * be read, and have no id to respond to.
   */
  async checkRules({ plain = true, tooLong = 0 } = {}): Promise<void> {
    if (plain) await this.checkHealth();
    this.expectSecretKept();
    expect(hashTree(this.out), "(b) OUT is unchanged").toBe(this.#outHash);
    this.expectNothingExecuted();
    expect(temporaryNames(this.base), "(e) no temporary file is left").toEqual([]);
    expect(childProcesses(this.pid), "(e) no child process is left").toEqual([]);
    await expect.poll(() => openFiles(this.pid), { message: "(e) no file is left open" }).toEqual(this.#openFiles);
    this.expectAnsweredOnce(tooLong);
    expect(this.server.stderr).not.toMatch(/Unhandled|at .*\.ts:\d+|error ref/i);
  }
}

/** Starts a server whose ROOT holds `tree` beside `plain.txt`. */
export async function startStress(tree: Tree = {}, options: AttackOptions = {}): Promise<Stress> {
  const stress = new Stress(tree, options);
  await stress.start(options);
  return stress;
}
