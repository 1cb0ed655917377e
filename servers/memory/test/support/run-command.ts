// Runs a command such as `export --json` in this process: what it writes, and its exit code.
import { findCommand } from "../../src/commands/command-line.ts";
import { run } from "../../src/commands/run.ts";

/** Progress of work that takes long on a busy machine, such as `Lines exported: 2 of 3`. */
const PROGRESS = /^[A-Z][a-z]+ [a-z]+: [\d,]+(?: of [\d,]+)?$/;

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  /** The lines of stderr without progress. */
  readonly stderr: string[];
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Streams and variables of this process are as before afterwards, so only one command runs at a time. */
export async function runCommand(words: readonly string[], env: Variables = {}): Promise<Ended> {
  const found = findCommand(words);
  if (found === undefined) throw new TypeError(`No command: ${words.join(" ")}`);
  const [out, stderr] = [capture(process.stdout), capture(process.stderr)];
  const restore = setVariables({ OARLOCK_DB: undefined, MEMORY_FILE_PATH: undefined, ...env });
  try {
    const code = await run(found.command, found.args);
    return {
      code,
      out: out.text(),
      stderr: stderr
        .text()
        .split("\n")
        .filter((line) => line !== "" && !PROGRESS.test(line)),
    };
  } finally {
    restore();
    out.restore();
    stderr.restore();
  }
}

function capture(stream: NodeJS.WriteStream): { text(): string; restore(): void } {
  const { write } = stream;
  const listeners = stream.listeners("error");
  let text = "";
  stream.write = (piece: string | Uint8Array, encoding?: unknown, done: unknown = encoding): boolean => {
    text += String(piece);
    if (typeof done === "function") process.nextTick(done);
    return true;
  };
  return {
    text: () => text,
    restore() {
      stream.write = write;
      for (const listener of stream.listeners("error"))
        if (!listeners.includes(listener)) stream.off("error", listener as (error: Error) => void); // the only kind of listener of `error`
    },
  };
}

/** Returns what restores them. */
function setVariables(values: Variables): () => void {
  const before = Object.fromEntries(Object.keys(values).map((name) => [name, process.env[name]]));
  const set = (all: Variables): void => {
    for (const [name, value] of Object.entries(all))
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  };
  set(values);
  return () => set(before);
}
