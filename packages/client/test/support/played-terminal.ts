// Runs the command in this process at a terminal, with a user who answers its questions.
import { PassThrough, Writable } from "node:stream";
import { run } from "../../src/command/run.ts";
import { Screen } from "./screen.ts";

/** Gives the screen at the end. */
export async function runAtTerminal(args: readonly string[], answers: readonly string[]): Promise<string> {
  const screen = new Screen(answers);
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const printed = (): Writable =>
    new Writable({
      decodeStrings: false,
      write(text: string, _encoding, done) {
        const typed = screen.print(text);
        if (typed !== undefined) stdin.write(typed);
        done();
      },
    });
  const stderr = Object.assign(printed(), { isTTY: true, columns: 300 });
  const interrupt = new AbortController();
  await run(args, interrupt.signal, { stdin, stdout: printed(), stderr, env: {}, platform: process.platform });
  return screen.read();
}
