/** Work on a database of 100,000 rows: one row (all processes on one core), 10,000 rows, an aggregate, an insert. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { Client, prepare } from "../client.ts";
import { logged, rowsIn } from "../database.ts";
import { median, type Figures } from "../figures.ts";
import { onOneCore, peakTogether } from "../process.ts";
import { statement, type Call } from "./dialects.ts";
import { filled, inScratch, succeeded, textOf, type Suite } from "./suite.ts";

const ROWS = 100_000;

interface Job {
  figure: string;
  does: "read" | "write";
  /** Spelt out in full, as not every server takes parameters. */
  sql: string;
  times: number;
  quickTimes: number;
  /** A call so short that waking an idle core would cost more than it does. */
  short?: boolean;
  /** Whether the text is the right answer. */
  right(text: string): boolean;
}

/** How many rows an answer has, whatever stands around them. */
const items = (text: string): number => text.match(/"item \d+"/g)?.length ?? 0;

const JOBS: readonly Job[] = [
  {
    figure: "read 1 row ms",
    does: "read",
    sql: "SELECT id, name, price, note FROM items WHERE id = 4711",
    times: 1500,
    quickTimes: 400,
    short: true,
    right: (text) => text.includes('"item 4711"'),
  },
  {
    figure: "read 10k rows ms",
    does: "read",
    sql: "SELECT id, name, price, note FROM items ORDER BY id LIMIT 10000",
    times: 40,
    quickTimes: 10,
    right: (text) => items(text) === 10_000 && text.includes('"item 10000"'),
  },
  {
    figure: "aggregate 100k ms",
    does: "read",
    sql: "SELECT kind, count(*) AS n, avg(price) AS mean FROM items GROUP BY kind ORDER BY kind",
    times: 40,
    quickTimes: 10,
    right: (text) => text.match(/\b10000\b/g)?.length === 10,
  },
  {
    figure: "insert 1 ms",
    does: "write",
    sql: "INSERT INTO log (at, text) VALUES (1, 'a line of the log, as long as such lines are')",
    times: 600,
    quickTimes: 150,
    short: true,
    right: () => true, // they say it in different ways; the rows are counted in the end
  },
];

const warmUp = (times: number): number => Math.ceil(times * 0.15);

/** With the call that is checked and those that warm up. */
const callsOf = (times: number): number => 1 + warmUp(times) + times;

async function timed(client: Client, { name, arguments: args }: Call, { times, short, right }: Job): Promise<number> {
  const request = prepare("tools/call", { name, arguments: args });
  const text = textOf(succeeded(await client.request(request)));
  if (!right(text)) throw new Error(`unexpected answer: ${text.slice(0, 200)}`);
  for (let at = 0; at < warmUp(times); at++) await client.send(request);
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
  measure: (target, { quick, wanted, problem }) =>
    inScratch((folder) => {
      const database = join(folder, "bench.db");
      copyFileSync(rowsIn(ROWS), database);
      return Client.with(filled(target, folder), async (client) => {
        const figures: Figures = {};
        for (const job of JOBS.filter(({ figure }) => wanted(figure))) {
          try {
            const times = quick ? job.quickTimes : job.times;
            figures[job.figure] = await timed(client, statement(target.dialect, job.does, job.sql), { ...job, times });
            if (job.does === "write" && logged(database) !== callsOf(times)) throw new Error(`${logged(database)} rows were inserted`);
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
