// Runs the git of the tests in a shell that stays: a start from the large process of the tests costs several times as much as one from a small one.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { openSync, readFileSync, readSync, writeFileSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { isWindows } from "../../src/platform.ts";

export interface GitRun {
  readonly args: readonly (string | Buffer)[];
  readonly cwd: string;
  /** Beside those of {@link PLAIN}. */
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string | Buffer | undefined;
}

export interface GitOutcome {
  readonly status: number | null;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
}

/** How the tests' own git runs: it may do all that git does, fetching from files too. */
const PLAIN = {
  PATH: process.env["PATH"] ?? "",
  HOME: "/dev/null",
  LC_ALL: "C",
  TZ: "UTC",
  GIT_CONFIG_NOSYSTEM: "1",
  // git knows this name on every platform; it refuses the one that Windows has.
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_TERMINAL_PROMPT: "0",
  GIT_AUTHOR_NAME: "Ada Lovelace",
  GIT_AUTHOR_EMAIL: "ada@example.org",
  GIT_COMMITTER_NAME: "Grace Hopper",
  GIT_COMMITTER_EMAIL: "grace@example.org",
} as const;

/** One shell for each process of tests; it ends with its pipe of commands, and each command gets its own folder, variables and files. */
class Shell {
  readonly #at = tempFolder().at;
  readonly #commands: number;
  readonly #answers: number;

  constructor() {
    const pipes = [this.#at("commands"), this.#at("answers")];
    execFileSync("mkfifo", pipes);
    spawn("/bin/sh", ["-c", 'exec <"$0" 3>"$1"; exec /bin/sh', ...pipes], {
      cwd: "/",
      env: PLAIN,
      stdio: "ignore",
      detached: true,
    }).unref();
    this.#commands = openSync(this.#at("commands"), "w");
    this.#answers = openSync(this.#at("answers"), "r");
  }

  run({ args, cwd, env, input }: GitRun): GitOutcome {
    const [from, out, err] = [input === undefined ? "/dev/null" : this.#at("in"), this.#at("out"), this.#at("err")];
    if (input !== undefined) writeFileSync(from, input);
    const words = [...Object.entries(env).map(([name, value]) => `${name}=${quoted(value)}`), "git", ...args.map(quoted)];
    const command = `{ cd ${quoted(cwd)} && ${words.join(" ")}; } <${quoted(from)} >${quoted(out)} 2>${quoted(err)} 3>&-; echo $? >&3\n`;
    writeFileSync(this.#commands, command, "latin1");
    return { status: this.#answer(), stdout: readFileSync(out), stderr: readFileSync(err) };
  }

  #answer(): number {
    const line = Buffer.alloc(8);
    for (let length = 0; !line.includes("\n");) {
      const read = readSync(this.#answers, line, length, line.length - length, null);
      if (read === 0) throw new Error("The shell that runs git for the tests has ended.");
      length += read;
    }
    return Number(line.toString("latin1").split("\n")[0]);
  }
}

/** A word for the shell, its bytes in Latin-1. */
const quoted = (word: string | Buffer): string => `'${Buffer.from(word).toString("latin1").replaceAll("'", "'\\''")}'`;

let shell: Shell | undefined;

/** Waits for the end of git. Arguments need not be UTF-8, but on Windows. */
export function runGit(run: GitRun): GitOutcome {
  if (!isWindows) return (shell ??= new Shell()).run(run);
  const { args, cwd, env, input } = run;
  return spawnSync("git", args.map(String), {
    cwd,
    env: { ...PLAIN, ...env },
    maxBuffer: 1024 ** 3,
    ...(input !== undefined && { input }),
  });
}
