// A process in a pseudo-terminal, and the answers that a user types at its questions.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { Screen } from "./screen.ts";

/** Whether `script` of util-linux is there, which makes the pseudo-terminal. */
export const hasTerminal = /util-linux/.test(spawnSync("script", ["--version"], { encoding: "utf8" }).stdout ?? "");

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** Gives the screen at the end. */
export async function runInTerminal(words: readonly string[], answers: readonly string[]): Promise<string> {
  const shell = `stty cols 300; ${words.map(quoted).join(" ")}`;
  const child = spawn("script", ["--quiet", "--return", "--command", shell, "/dev/null"], { stdio: ["pipe", "pipe", "inherit"] });
  const screen = new Screen(answers);
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const typed = screen.print(text);
    if (typed !== undefined) child.stdin.write(typed);
  });
  await once(child, "close");
  return screen.read();
}
