// The filesystem server under attack: ROOT is served, its sibling OUT holds a secret. Each case ends with the rules (a) to (f) of the
// catalogue.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { childProcesses, expectWithin, hashTree, openFiles, StressHarness, writeTree, type Tree } from "@oarlock/testing";
import { expect } from "vitest";
import { bin } from "../support/target.ts";

/** A second on an idle machine. */
const HEALTHY_MS = 10_000;

export interface StressOptions {
  /** The directories on the command line, instead of ROOT. */
  readonly directories?: (base: string) => readonly string[];
  readonly args?: readonly string[];
  /** Written beside ROOT and OUT. */
  readonly beside?: Tree;
}

export class Stress extends StressHarness {
  #openFiles: readonly string[] = [];
  #outHash = "";

  constructor(tree: Tree, { beside }: StressOptions) {
    super(beside === undefined ? {} : { tree: beside });
    writeTree(this.base, { ROOT: { "plain.txt": "plain\n" }, OUT: { sub: { "deep.txt": this.secret } } });
    writeTree(this.root, tree);
  }

  /** Starts the server, and calls a tool, so that all files that stay open are open. */
  async start({ args = [], directories }: StressOptions): Promise<void> {
    await this.launch(bin([...args, ...(directories?.(this.base) ?? [this.root])]));
    await this.checkHealth();
    await this.call("search_files", { path: this.root, pattern: "*.none" });
    this.#openFiles = openFiles(this.pid);
    this.#outHash = hashTree(this.out);
  }

  /** Rule (d): a plain request has the right reply in time. */
  async checkHealth(path = this.at("plain.txt"), expected = "plain\n"): Promise<void> {
    await expectWithin(HEALTHY_MS, async () =>
      expect(await this.reply("read_text_file", { path })).toMatchObject({ text: expected, failed: false }),
    );
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
export async function startStress(tree: Tree = {}, options: StressOptions = {}): Promise<Stress> {
  const stress = new Stress(tree, options);
  await stress.start(options);
  return stress;
}

function temporaryNames(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => [
    ...(/^\.oarlock|\.tmp$/.test(entry.name) ? [entry.name] : []),
    ...(entry.isDirectory() ? temporaryNames(join(folder, entry.name)) : []),
  ]);
}
