/** Work on a repository: status, pages of the history, a diff, a blame. The floor is the git command itself. */
import { Client, prepare } from "../client.ts";
import { median, type Figures } from "../figures.ts";
import { repository } from "../git-fixture.ts";
import { memory } from "../process.ts";
import { gitCall } from "./dialects.ts";
import { filled, succeeded, textOf, type Suite } from "./suite.ts";

interface Job {
  figure: string;
  tool: string;
  args: object;
  times: number;
  /** Whether the text is the right answer. */
  right(text: string): boolean;
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

const JOBS: readonly Job[] = [
  { figure: "status ms", tool: "git_status", args: {}, times: 15, right: (text) => count(text, /untracked\d+\.txt/g) === 20 },
  { figure: "log 100 ms", tool: "git_log", args: { max_count: 100 }, times: 40, right: (text) => count(text, /change \d+: /g) === 100 },
  { figure: "log 1000 ms", tool: "git_log", args: { max_count: 1000 }, times: 15, right: (text) => count(text, /change \d+: /g) === 1000 },
  {
    figure: "diff HEAD~200 ms",
    tool: "git_diff",
    // As many patches as before the default reply became smaller.
    args: { target: "HEAD~200", max_bytes: 100_000 },
    times: 12,
    right: (text) => count(text, /diff --git /g) > 100,
  },
  { figure: "blame ms", tool: "git_blame", args: { path: "hot.ts" }, times: 20, right: (text) => count(text, /quick brown fox/g) === 400 },
];

const WARM_UP = 0.15;

export const git: Suite = {
  about: "status, log, diff and blame on 10,000 files and 5,000 commits (quick: 2,000 and 500)",
  kinds: ["git", "any"],
  rounds: 5,
  quickRounds: 2,
  measure(target, { quick, wanted, problem }) {
    const folder = quick ? repository(500, 2000) : repository(5000, 10_000);
    return Client.with(filled(target, folder), async (client) => {
      const figures: Figures = {};
      for (const { figure, tool, args, times, right } of JOBS.filter((job) => wanted(job.figure))) {
        const request = prepare("tools/call", gitCall(target.dialect, { name: tool, arguments: { repo_path: folder, ...args } }));
        try {
          const text = textOf(succeeded(await client.request(request)));
          if (!right(text)) throw new Error(`unexpected answer: ${text.slice(0, 200)}`);
          for (let at = 0; at < times * WARM_UP; at++) await client.send(request);
          figures[figure] = median((await client.flood(request, { most: times })).times);
        } catch (error) {
          figures[figure] = NaN;
          problem(`${figure}: ${String(error)}`);
        }
      }
      figures["peak MiB"] = memory(client.pid).peak;
      return figures;
    });
  },
};
