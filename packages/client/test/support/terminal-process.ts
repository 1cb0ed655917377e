// A process in a pseudo-terminal, and the answers that a user types at its questions.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";

/** Whether `script` of util-linux is there, which makes the pseudo-terminal. */
export const hasTerminal = /util-linux/.test(spawnSync("script", ["--version"], { encoding: "utf8" }).stdout ?? "");

/** The cursor stands behind a question, which readline places by a sequence of the terminal. */
// oxlint-disable-next-line no-control-regex
const QUESTION = /(?:\] |: )\u001b\[\d+G$/;
// oxlint-disable-next-line no-control-regex
const SEQUENCES = /\u001b\[[\d;?]*[A-Za-z]/g;

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** All that is on the screen at the end, the typed answers included. Fails when there were fewer questions than answers. */
export async function runInTerminal(words: readonly string[], answers: readonly string[]): Promise<string> {
  const shell = `stty cols 300; ${words.map(quoted).join(" ")}`;
  const child = spawn("script", ["--quiet", "--return", "--command", shell, "/dev/null"], { stdio: ["pipe", "pipe", "inherit"] });
  const left = [...answers];
  let screen = "";
  let unanswered = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    screen += text;
    unanswered += text;
    if (!QUESTION.test(unanswered)) return;
    unanswered = "";
    const answer = left.shift();
    // Without an answer the process is interrupted: an unexpected question must not wait for ever.
    child.stdin.write(answer === undefined ? "\u0003" : `${answer}\r`);
  });
  await once(child, "close");
  if (left.length > 0) throw new Error(`${left.length} answers were not asked for: expected none.\n${screen}`);
  return screen.replaceAll(SEQUENCES, "").replaceAll("\r\n", "\n").replaceAll("\r", "");
}
