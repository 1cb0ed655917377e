// The git server under attack: the repositories of ROOT are served, its sibling OUT holds a secret and a repository of its own. Each case
// ends with the rules (a) to (f) of the catalogue.
import { join } from "node:path";
import { StressHarness } from "@oarlock-tooling/test-support/stress";
import { childProcesses, hashTree, openFiles, writeTree, type Tree } from "@oarlock/testing";
import { expect } from "vitest";
import { makeRepository, type TestRepository } from "../support/repository.ts";
import { bin } from "../support/target.ts";
import { fillOut, temporaryNames, type AttackGround } from "./attack-ground.ts";
import { TracedGit } from "./traced-git.ts";

export interface StressOptions {
  /** Instead of `--repositories-root ROOT`. */
  readonly serve?: (base: string) => readonly string[];
  readonly args?: readonly string[];
  readonly env?: (base: string) => Readonly<Record<string, string>>;
  /** Without the traced git: as an operator starts it. */
  readonly untraced?: boolean;
  /** Written beside ROOT and OUT. */
  readonly beside?: Tree;
}

export class StressRun extends StressHarness implements AttackGround {
  readonly #options: StressOptions;
  readonly #traced: TracedGit;
  #openFiles: readonly string[] = [];
  #outHash = "";

  constructor(options: StressOptions) {
    super({ tree: { trace: {}, ...options.beside } });
    this.#options = options;
    fillOut(this);
    makeRepository(this.at("plain"), { "plain.txt": "plain\n" });
    this.#traced = new TracedGit(join(this.base, "trace"));
  }

  /** A new repository below ROOT. */
  repository(name: string, tree: Tree = { "f.txt": "one\n" }): TestRepository {
    return makeRepository(this.at(name), tree);
  }

  write(tree: Tree): void {
    writeTree(this.base, tree);
  }

  /** Starts the server, with a handshake and a first call, after everything hostile is in its place. */
  async start(): Promise<void> {
    const { serve, args = [], env, untraced = false } = this.#options;
    const line = [
      ...(serve?.(this.base) ?? ["--repositories-root", this.root]),
      ...(untraced ? [] : [`--git=${this.#traced.path}`]),
      "--toolsets=default,remote,integrate",
      "--allow-discard",
      "--rate-limit=10000/s",
      ...args,
    ];
    await this.launch(bin(line, env?.(this.base)));
    await this.checkHealth();
    this.#openFiles = openFiles(this.pid);
    this.#outHash = hashTree(this.out);
  }

  /** Rule (d): a plain request has the right reply. How soon, `expectHealthInTime` checks. */
  async checkHealth(): Promise<void> {
    const isServed = this.#options.serve === undefined;
    const { text, failed } = await this.reply("git_log", { ...(isServed && { repo_path: this.at("plain") }), max_count: 1 });
    if (isServed) expect({ text, failed }).toMatchObject({ failed: false, text: expect.stringContaining("first") });
  }

  /** The rules (a) to (f), and that git started no other program. */
  async checkRules({ mayRun = [] as readonly string[] } = {}): Promise<void> {
    await this.checkHealth();
    const programs = this.#traced.otherPrograms().filter((command) => !mayRun.includes(command));
    this.#traced.forget();
    this.expectSecretKept();
    expect(hashTree(this.out), "(b) OUT is unchanged").toBe(this.#outHash);
    this.expectNothingExecuted();
    expect(programs, "(c) git started no other program").toEqual([]);
    expect(temporaryNames(this.base), "(e) no temporary file is left").toEqual([]);
    await expect.poll(() => childProcesses(this.pid), { message: "(e) no child process is left" }).toEqual([]);
    await expect.poll(() => openFiles(this.pid), { message: "(e) no file is left open" }).toEqual(this.#openFiles);
    this.expectAnsweredOnce();
    expect(this.server.stderr).not.toMatch(/Unhandled|at .*\.ts:\d+|error ref/i);
  }

  /** The command lines of git since the rules were checked last. */
  get commands(): readonly string[] {
    return this.#traced
      .started()
      .filter(({ by }) => by === "server")
      .map(({ argv }) => argv.join(" "));
  }
}

/** Starts a server on ROOT, which `prepare` fills before. */
export async function startStress(prepare: (stress: StressRun) => void = () => {}, options: StressOptions = {}): Promise<StressRun> {
  const stress = new StressRun(options);
  try {
    prepare(stress);
    await stress.start();
    return stress;
  } catch (error) {
    await stress[Symbol.asyncDispose]();
    throw error;
  }
}
