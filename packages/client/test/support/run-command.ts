// Runs the command oarlock-client in this process: arguments in, texts and an exit code out.
import { Readable, Writable } from "node:stream";
import { run } from "../../src/command/run.ts";

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Gets all that was printed so far, on either stream, and Ctrl+C. */
export type OnOutput = (text: string, interrupt: () => void) => void;

/** @param credentials The file of the tokens. */
export async function runCommand(credentials: string, args: readonly string[], onOutput?: OnOutput): Promise<Ended> {
  const texts = { stdout: "", stderr: "" };
  const interrupt = new AbortController();
  const streamOf = (name: keyof typeof texts): Writable =>
    new Writable({
      decodeStrings: false,
      write(text: string, _encoding, done) {
        texts[name] += text;
        onOutput?.(texts.stdout + texts.stderr, () => interrupt.abort(new Error("Interrupted")));
        done();
      },
    });
  const code = await run(args, interrupt.signal, {
    stdin: Readable.from([]),
    stdout: streamOf("stdout"),
    stderr: streamOf("stderr"),
    env: { OARLOCK_CREDENTIALS: credentials },
    platform: process.platform,
  });
  return { code, ...texts };
}
