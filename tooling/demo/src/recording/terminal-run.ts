// Terminal run: one command in a pseudo-terminal, as the lines that it leaves on the screen, each with its time.
import { spawn } from "node:child_process";
import xterm from "@xterm/headless";

export interface Line {
  readonly text: string;
  /** Milliseconds from the start of the command. */
  readonly at: number;
  /** What the user typed at the end of the line; "" where nothing was typed. */
  readonly answer: string;
}

interface Chunk {
  readonly at: number;
  readonly data: string;
  /** Sent to the command when this had been read. */
  readonly answer: string | undefined;
}

/** Lines are not wrapped below this width. */
const COLUMNS = 400;
const ROWS = 200;
const LIMIT_MS = 60_000;
/** The cursor stands behind `[y/N] ` or `[default false]: `. */
// oxlint-disable-next-line no-control-regex
const QUESTION = /\](?:: | )\u001b\[\d+G$/;

/** Runs a shell command, and gives the answers to its questions in their order. Needs `script` of util-linux. */
export async function runInTerminal(command: string, answers: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Line[]> {
  const signal = AbortSignal.timeout(LIMIT_MS);
  const shell = `stty cols ${COLUMNS} rows ${ROWS}; ${command}`;
  const child = spawn("script", ["--quiet", "--return", "--command", shell, "/dev/null"], { cwd, env, signal });
  const start = performance.now();
  const chunks: Chunk[] = [];
  const left = [...answers];
  let unanswered = "";
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (data: string) => {
    unanswered += data;
    const answer = QUESTION.test(unanswered) ? left.shift() : undefined;
    if (answer !== undefined) {
      unanswered = "";
      child.stdin.write(`${answer}\r`);
    }
    chunks.push({ at: performance.now() - start, data, answer });
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const output = chunks.map(({ data }) => data).join("");
  if (code !== 0) throw new Error(`Command ${command} failed with exit code ${code}: expected 0.\n${output}`);
  if (left.length > 0)
    throw new Error(`Command ${command} asked ${answers.length - left.length} questions: expected ${answers.length}.\n${output}`);
  return await linesOf(chunks);
}

/** A terminal without a screen reads the chunks: they move the cursor and erase. */
async function linesOf(chunks: readonly Chunk[]): Promise<Line[]> {
  const terminal = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
  const { active } = terminal.buffer;
  const textAt = (row: number): string => active.getLine(row)?.translateToString(true) ?? "";
  const times: number[] = [];
  const typed = new Map<number, number>();
  for (const { at, data, answer } of chunks) {
    await new Promise<void>((resolve) => terminal.write(data, resolve));
    for (let row = times.length; row <= active.cursorY; row++) times[row] = at;
    if (answer !== undefined) typed.set(active.cursorY, active.cursorX);
  }
  const lines = times.map((at, row): Line => {
    const text = textAt(row);
    const from = typed.get(row) ?? text.length;
    return { text: text.slice(0, from), at, answer: text.slice(from) };
  });
  while (lines.at(-1)?.text === "") lines.pop();
  return lines;
}
