/** Work on a database of 100,000 rows: one row (all processes on one core), 10,000 rows, an aggregate, an insert. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { Client, prepare } from "../client.ts";
import { rowsIn } from "../database.ts";
import { median, type Figures } from "../figures.ts";
import { onOneCore, peakTogether } from "../process.ts";
import { filled, inScratch, succeeded, textOf, type Suite } from "./suite.ts";

const ROWS = 100_000;

interface Job {
  figure: string;
  tool: string;
  args: object;
  times: number;
  quickTimes: number;
  /** A call so short that waking an idle core would cost more than it does. */
  short?: boolean;
  /** Whether the text is the right answer. */
  right(text: string): boolean;
}

const JOBS: readonly Job[] = [
  {
    figure: "read 1 row ms",
    tool: "read_query",
    args: { query: "SELECT id, name, price, note FROM items WHERE id = ?", params: [4711] },
    times: 1500,
    quickTimes: 400,
    short: true,
    right: (text) => text.startsWith('[{"id":4711,"name":"item 4711","price":'),
  },
  {
    figure: "read 10k rows ms",
    tool: "read_query",
    args: { query: "SELECT id, name, price, note FROM items ORDER BY id LIMIT 10000" },
    times: 40,
    quickTimes: 10,
    right: (text) => rowsOf(JSON.parse(text)).length === 10_000,
  },
  {
    figure: "aggregate 100k ms",
    tool: "read_query",
    args: { query: "SELECT kind, count(*) AS n, avg(price) AS mean FROM items GROUP BY kind ORDER BY kind" },
    times: 40,
    quickTimes: 10,
    right: (text) => JSON.parse(text).length === 10,
  },
  {
    figure: "insert 1 ms",
    tool: "write_query",
    args: { query: "INSERT INTO log (at, text) VALUES (?, ?)", params: [1, "a line of the log, as long as such lines are"] },
    times: 600,
    quickTimes: 150,
    right: (text) => text === '[{"affected_rows":1}]',
  },
];

/** Rows as they are, or within a table. */
const rowsOf = (told: unknown[] | { rows: unknown[] }): unknown[] => (Array.isArray(told) ? told : told.rows);

const WARM_UP = 0.15;

async function timed(client: Client, { tool, args, times, short, right }: Job): Promise<number> {
  const request = prepare("tools/call", { name: tool, arguments: args });
  const text = textOf(succeeded(await client.ask(request)));
  if (!right(text)) throw new Error(`unexpected answer: ${text.slice(0, 200)}`);
  for (let at = 0; at < times * WARM_UP; at++) await client.send(request);
  let ms = NaN;
  const flood = async (): Promise<void> => {
    ms = median((await client.flood(request, { most: times })).times);
  };
  await (short === true ? onOneCore([client.pid, process.pid], flood) : flood());
  return ms;
}

export const sqlite: Suite = {
  about: "one row, 10,000 rows, an aggregate over 100,000 rows, an insert; in WAL mode",
  kinds: ["sqlite", "any"],
  rounds: 7,
  quickRounds: 3,
  measure: (target, { quick, problem }) =>
    inScratch((folder) => {
      copyFileSync(rowsIn(ROWS), join(folder, "bench.db"));
      return Client.with(filled(target, folder), async (client) => {
        const figures: Figures = {};
        for (const job of JOBS) {
          try {
            figures[job.figure] = await timed(client, quick ? { ...job, times: job.quickTimes } : job);
          } catch (error) {
            figures[job.figure] = NaN;
            problem(`${job.figure}: ${String(error)}`);
          }
        }
        figures["peak MiB"] = peakTogether(client.pid);
        return figures;
      });
    }),
};
