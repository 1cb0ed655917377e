/** npm, as maintainers and the publishing job run it. Imports nothing that must be installed. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";

/** Since this version npm can stage, and set trusted publishers that may only stage. Node 24.21 brings 11.19. */
const OLDEST = [11, 15] as const;

/** Of output: npm lists the files of each tarball. */
const MAX_BYTES = 64 * 1024 * 1024;

interface NpmResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export class Npm {
  readonly #env: NodeJS.ProcessEnv;
  #registry: Promise<string> | undefined;

  constructor(env: NodeJS.ProcessEnv = process.env) {
    this.#env = env;
  }

  /** Runs a command to its end, without a terminal. */
  run(args: readonly string[], cwd?: string): Promise<NpmResult> {
    return new Promise((resolve) => {
      const child = execFile("npm", args, { cwd, env: this.#env, maxBuffer: MAX_BYTES }, (error, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, stdout, stderr: stderr || (error?.message ?? "") }),
      );
    });
  }

  /** The stdout of a command. Rejects with what npm says where it fails. */
  async output(args: readonly string[], cwd?: string): Promise<string> {
    const { code, stdout, stderr } = await this.run(args, cwd);
    if (code !== 0) throw new Error(`npm ${args.join(" ")} failed:\n${stderr.trim()}`);
    return stdout.trim();
  }

  /** Runs a command at the terminal of a person, whom npm may ask for the second factor. Rejects where it fails. */
  async interact(args: readonly string[], cwd?: string): Promise<void> {
    if (!process.stdin.isTTY) return void (await this.output(args, cwd));
    const [code] = await once(spawn("npm", args, { cwd, env: this.#env, stdio: "inherit" }), "exit");
    if (code !== 0) throw new Error(`npm ${args.join(" ")} failed. Start again: what is done stays done.`);
  }

  /** Rejects where npm is too old. */
  async checkVersion(): Promise<void> {
    const version = await this.output(["--version"]);
    const [major = 0, minor = 0] = version.split(".").map(Number);
    if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]))
      throw new Error(`npm ${version} cannot stage packages: expected ${OLDEST.join(".")} or later. Use the Node of the release workflow.`);
  }

  /** The registry's address. */
  registry(): Promise<string> {
    return (this.#registry ??= this.output(["config", "get", "registry"]));
  }
}
