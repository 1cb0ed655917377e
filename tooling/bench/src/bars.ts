/** What must hold: our figure against another's, as a ratio taken side by side in one run; a few also as they stand. */
import { compare, type Comparison, type Measured } from "./rounds.ts";

export interface Bar {
  suite: string;
  figure: string;
  of: string;
  /** Left out: the bar is for the figure itself. */
  to?: string;
  op: "<=" | ">=";
  limit: number;
}

export const BARS: readonly Bar[] = [
  { suite: "start", figure: "start ms", of: "ours", to: "floor", op: "<=", limit: 1.25 },
  { suite: "start", figure: "start ms", of: "ours-filesystem", to: "fs-floor", op: "<=", limit: 1.6 },
  { suite: "stdio", figure: "echo 64B x16 server cpu us", of: "ours", to: "floor", op: "<=", limit: 1.6 },
  { suite: "stdio", figure: "echo 64B x16 server cpu us", of: "ours", to: "sdk-v1", op: "<=", limit: 0.35 },
  { suite: "stdio", figure: "list x16 server cpu us", of: "ours", to: "floor", op: "<=", limit: 1.3 },
  { suite: "stdio", figure: "echo 64B x256 rps", of: "ours", to: "sdk-v1", op: ">=", limit: 3.5 },
  { suite: "filesystem", figure: "read 1KiB ms", of: "ours-filesystem", to: "fs-floor", op: "<=", limit: 2.5 },
  // The floor sends a text once. So does --lean; without it a text goes out twice, as the official server's clients expect.
  { suite: "filesystem", figure: "read 1MiB ms", of: "ours-filesystem-lean", to: "fs-floor", op: "<=", limit: 1.25 },
  { suite: "filesystem", figure: "head 100 of 100MiB ms", of: "ours-filesystem", to: "fs-floor", op: "<=", limit: 2 },
  { suite: "filesystem", figure: "tree ms", of: "ours-filesystem", to: "fs-floor", op: "<=", limit: 1.5 },
  { suite: "filesystem", figure: "search ms", of: "ours-filesystem", to: "fs-floor", op: "<=", limit: 2.5 },
  { suite: "filesystem", figure: "search ms", of: "ours-filesystem", to: "server-filesystem", op: "<=", limit: 0.03 },
  // The floor is ripgrep's binary itself.
  { suite: "filesystem", figure: "contents ms", of: "ours-filesystem", to: "fs-floor", op: "<=", limit: 1.3 },
  { suite: "filesystem", figure: "contents in every file ms", of: "ours-filesystem", to: "fs-floor", op: "<=", limit: 1.3 },
  { suite: "filesystem", figure: "edit 1MiB ms", of: "ours-filesystem", to: "fs-floor", op: "<=", limit: 2.5 },
  // The floor is the git command itself.
  { suite: "git", figure: "status ms", of: "ours-git", to: "git-floor", op: "<=", limit: 1.2 },
  { suite: "git", figure: "log 100 ms", of: "ours-git", to: "git-floor", op: "<=", limit: 1.4 },
  { suite: "git", figure: "diff HEAD~200 ms", of: "ours-git", to: "git-floor", op: "<=", limit: 1.2 },
  { suite: "git", figure: "blame ms", of: "ours-git", to: "git-floor", op: "<=", limit: 1.2 },
  { suite: "sqlite", figure: "read 10k rows ms", of: "ours-sqlite", to: "sqlite-floor", op: "<=", limit: 1.1 },
  // Each call crosses to the process that can be killed, and back.
  { suite: "sqlite", figure: "read 1 row ms", of: "ours-sqlite", to: "sqlite-floor", op: "<=", limit: 3 },
  { suite: "sqlite", figure: "insert 1 ms", of: "ours-sqlite", to: "sqlite-floor", op: "<=", limit: 1.3 },
  { suite: "sqlite", figure: "peak MiB", of: "ours-sqlite", to: "sqlite-floor", op: "<=", limit: 1.5 },
  { suite: "memory", figure: "search for one at 10k ms", of: "ours-memory", to: "server-memory", op: "<=", limit: 0.05 },
  { suite: "memory", figure: "search for a name at 10k ms", of: "ours-memory", to: "server-memory", op: "<=", limit: 0.05 },
  { suite: "memory", figure: "search for many at 10k ms", of: "ours-memory", to: "server-memory", op: "<=", limit: 0.05 },
  { suite: "memory", figure: "create 1 at 10k ms", of: "ours-memory", to: "server-memory", op: "<=", limit: 0.05 },
  { suite: "memory", figure: "search for one at 100k ms", of: "ours-memory", to: "server-memory", op: "<=", limit: 0.02 },
  { suite: "memory", figure: "search for a name at 100k ms", of: "ours-memory", to: "server-memory", op: "<=", limit: 0.02 },
  { suite: "memory", figure: "search for many at 100k ms", of: "ours-memory", to: "server-memory", op: "<=", limit: 0.02 },
  { suite: "memory", figure: "create 1 at 100k ms", of: "ours-memory", to: "server-memory", op: "<=", limit: 0.02 },
  { suite: "memory", figure: "search for one at 100k ms", of: "ours-memory", to: "memory-floor", op: "<=", limit: 1 },
  { suite: "memory", figure: "search for a name at 100k ms", of: "ours-memory", to: "memory-floor", op: "<=", limit: 1 },
  { suite: "memory", figure: "search for many at 100k ms", of: "ours-memory", to: "memory-floor", op: "<=", limit: 1 },
  { suite: "memory", figure: "search in vain at 100k ms", of: "ours-memory", to: "memory-floor", op: "<=", limit: 1 },
  { suite: "memory", figure: "first page of read_graph at 100k ms", of: "ours-memory", to: "server-memory", op: "<=", limit: 0.1 },
  { suite: "memory", figure: "peak MiB at 100k", of: "ours-memory", to: "server-memory", op: "<=", limit: 0.33 },
  { suite: "http", figure: "stateful/json c64 server cpu us", of: "ours-http", to: "floor-http", op: "<=", limit: 1.6 },
  { suite: "http", figure: "stateful/json c64 server cpu us", of: "ours-http", to: "sdk-v1-http", op: "<=", limit: 0.1 },
  { suite: "http", figure: "stateful/json c64 rps", of: "ours-http", to: "floor-http", op: ">=", limit: 0.65 },
  { suite: "http", figure: "modern/json c64 server cpu us", of: "ours-http", to: "floor-http", op: "<=", limit: 1.7 },
  { suite: "http", figure: "modern/json c64 server cpu us", of: "ours-http", to: "sdk-v2-http", op: "<=", limit: 0.1 },
  { suite: "sessions", figure: "KiB per session", of: "ours-http", op: "<=", limit: 16 },
  { suite: "sessions", figure: "KiB per session", of: "ours-http", to: "floor-http", op: "<=", limit: 1.2 },
  { suite: "sessions", figure: "KiB per session with stream", of: "ours-http", op: "<=", limit: 32 },
  { suite: "sessions", figure: "KiB per session with stream", of: "ours-http", to: "floor-http", op: "<=", limit: 1.3 },
];

export type Verdict = "met" | "missed" | "planned";

export interface Judged extends Comparison {
  bar: Bar;
  verdict: Verdict;
}

/** A bar that could not be measured is missed, unless nobody has written its target yet. */
export function judge(bar: Bar, measured: readonly Measured[], planned: (target: string) => boolean): Judged {
  const { suite, figure, of, to = of, op, limit } = bar;
  const run = measured.find(({ name, raw }) => name === suite && raw.has(of) && raw.has(to));
  const found = run === undefined ? { of: NaN, to: NaN, ratio: NaN, low: NaN, high: NaN } : compare(run, figure, of, to);
  const value = bar.to === undefined ? found.of : found.ratio;
  const holds = op === "<=" ? value <= limit : value >= limit;
  return { ...found, bar, verdict: holds ? "met" : planned(bar.of) ? "planned" : "missed" };
}

/** A bar by hand, as in `--bar 'start ms <= 0.4'`; suite and targets are those of the run. */
export function barOf(text: string, suite: string, of: string, to: string): Bar {
  const [, figure, op, limit] = /^(.+?)\s*(<=|>=)\s*(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (figure === undefined || (op !== "<=" && op !== ">="))
    throw new Error(`--bar: expected 'FIGURE <= RATIO' or 'FIGURE >= RATIO', got ${text}`);
  return { suite, figure, of, to, op, limit: Number(limit) };
}
