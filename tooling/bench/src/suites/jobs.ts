/** Calls of tools that are timed, from `data/jobs.json`: one after the other, the first one checked. */
import { readFileSync } from "node:fs";
import { prepare, type Client } from "../client.ts";
import { median, type Figures } from "../figures.ts";
import { cpuMs, onOneCore } from "../process.ts";
import type { Target } from "../target.ts";
import { firstTextOf, succeeded, textOf, type How } from "./suite.ts";

interface Job {
  figure: string;
  tool: string;
  /** `{dir}` is the folder that is served, `{call}` another number in each call. */
  args: Readonly<Record<string, unknown>>;
  times: number;
  quickTimes?: number;
  /** Calls before it is measured, instead of a few: small work is measured warm, as `start` measures what is cold. */
  warmUp?: number;
  /** A call so short that waking an idle core would cost more than it does. */
  short?: true;
  /** `length`: of the first text. The others: of all. */
  right: { length?: number; pattern?: string; count?: number; atLeast?: number; not?: string };
}

const JOBS = JSON.parse(readFileSync(new URL("../../data/jobs.json", import.meta.url), "utf8")) as Record<
  "filesystem" | "git" | "sqlite",
  readonly Job[]
>; // our own

function isRight(text: string, first: string, { length, pattern, count, atLeast = 1, not }: Job["right"]): boolean {
  if (length !== undefined && first.length !== length) return false;
  if (not !== undefined && new RegExp(not, "m").test(text)) return false;
  const found = pattern === undefined ? Infinity : (text.match(new RegExp(pattern, "gm"))?.length ?? 0);
  return count === undefined ? found >= atLeast : found === count;
}

const OTHER_WORDS: Readonly<Record<string, string>> = { repo_path: "path", max_count: "maxCount", path: "filePath" };

/** The same call as others name it. */
function inDialect({ dialect }: Target, tool: string, args: Job["args"]): { name: string; arguments: Job["args"] } {
  if (dialect === "mcp-sqlite") return { name: "query", arguments: { sql: args["query"] } };
  if (dialect === "dbhub") return { name: "execute_sql", arguments: { sql: args["query"] } };
  if (dialect !== "git-mcp-server") return { name: tool, arguments: args };
  const { max_bytes: _ours, ...others } = args;
  return { name: tool, arguments: Object.fromEntries(Object.entries(others).map(([key, value]) => [OTHER_WORDS[key] ?? key, value])) };
}

/** With the call that is checked and those that warm up. */
export const callsOf = (times: number, warmUp = Math.ceil(times * 0.15)): number => 1 + warmUp + times;

interface Timed {
  readonly ms: number;
  /** Of the server and its processes, for a call. */
  readonly cpuUs: number;
}

async function timed(client: Client, call: object, { times, warmUp = Math.ceil(times * 0.15), short, right }: Job): Promise<Timed> {
  const request = prepare("tools/call", call);
  const answer = succeeded(await client.request(request));
  const text = textOf(answer);
  if (!isRight(text, firstTextOf(answer), right)) throw new Error(`unexpected answer: ${text.slice(0, 200)}`);
  for (let at = 0; at < warmUp; at++) await client.send(request);
  let ms = NaN;
  let cpuUs = NaN;
  const flood = async (): Promise<void> => {
    const before = cpuMs(client.pid);
    ms = median((await client.flood(request, { most: times })).times);
    cpuUs = ((cpuMs(client.pid) - before) * 1000) / times;
  };
  await (short === true ? onOneCore([client.pid, process.pid], flood) : flood());
  return { ms, cpuUs };
}

/** A figure, or NaN and a problem. */
export async function attempt(figures: Figures, figure: string, { problem }: How, work: () => Promise<number>): Promise<void> {
  try {
    figures[figure] = await work();
  } catch (error) {
    figures[figure] = NaN;
    problem(`${figure}: ${String(error)}`);
  }
}

/** The median milliseconds of each job of a kind whose tool the server has. `check` may look at what a job has done. */
export async function timeJobs(
  client: Client,
  { kind, target, folder }: { kind: keyof typeof JOBS; target: Target; folder: string },
  how: How,
  check: (job: Pick<Job, "tool" | "times">) => void = () => undefined,
): Promise<Figures> {
  const figures: Figures = {};
  const offered = JSON.stringify((await client.call("tools/list", {})).result?.tools ?? []);
  for (const job of JOBS[kind].filter(({ figure }) => how.wanted(figure))) {
    const call = inDialect(target, job.tool, job.args);
    if (!offered.includes(`"name":"${call.name}"`)) continue;
    const times = how.quick ? (job.quickTimes ?? job.times) : job.times;
    const filled = JSON.parse(JSON.stringify(call).replaceAll("{dir}", JSON.stringify(folder).slice(1, -1))) as object;
    await attempt(figures, job.figure, how, async () => {
      const { ms, cpuUs } = await timed(client, filled, { ...job, times });
      check({ tool: job.tool, times });
      const cpuFigure = job.figure.replace(/ ms$/, " cpu us");
      if (job.short === true && how.wanted(cpuFigure)) figures[cpuFigure] = cpuUs;
      return ms;
    });
  }
  return figures;
}
