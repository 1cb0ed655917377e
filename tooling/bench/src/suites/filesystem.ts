/** Work on files: reads, search and tree over many files, an edit in a large one. */
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Client, prepare } from "../client.ts";
import { median, type Figures } from "../figures.ts";
import { tree } from "../fixtures.ts";
import { memory } from "../process.ts";
import { filled, KIB, MIB, succeeded, textOf, type Suite } from "./suite.ts";

interface Job {
  figure: string;
  tool: string;
  args(folder: string): object;
  times: number;
  /** Calls before it is measured, instead of a few: small work is measured warm, as `start` measures what is cold. */
  warmUp?: number;
  /** Whether the text is the right answer. */
  right(text: string): boolean;
}

const JOBS: readonly Job[] = [
  {
    figure: "read 1KiB ms",
    tool: "read_text_file",
    args: (dir) => ({ path: join(dir, "1k.txt") }),
    times: 500,
    warmUp: 2000,
    right: (text) => text.length === KIB,
  },
  {
    figure: "read 1MiB ms",
    tool: "read_text_file",
    args: (dir) => ({ path: join(dir, "1m.txt") }),
    times: 15,
    right: (text) => text.length === MIB,
  },
  {
    figure: "head 100 of 100MiB ms",
    tool: "read_text_file",
    args: (dir) => ({ path: join(dir, "100m.txt"), head: 100 }),
    times: 20,
    right: (text) => text.startsWith("line 0 ") && text.includes("line 99 ") && !text.includes("line 100 "),
  },
  {
    figure: "search ms",
    tool: "search_files",
    args: (dir) => ({ path: join(dir, "tree"), pattern: "**/file8.ts" }),
    times: 3,
    right: (text) => text.split("\n").every((path) => path.endsWith("file8.ts")),
  },
  {
    figure: "tree ms",
    tool: "directory_tree",
    // The whole tree, as the others give it: ours leaves out more than 5,000 entries by default.
    args: (dir) => ({ path: join(dir, "tree"), maxEntries: 100_000 }),
    times: 3,
    right: (text) => text.includes("file99.json"),
  },
  {
    figure: "contents ms",
    tool: "search_file_contents",
    args: (dir) => ({ path: join(dir, "tree"), pattern: "nowhere" }),
    times: 5,
    right: (text) => !text.includes("file"),
  },
  {
    figure: "contents in every file ms",
    tool: "search_file_contents",
    args: (dir) => ({ path: join(dir, "tree"), pattern: "x" }),
    times: 5,
    right: (text) => /^\S+file\d+\.\w+:1: ?x$/m.test(text),
  },
];

const WARM_UP = 0.15;

async function timed(client: Client, { tool, args, times, warmUp = times * WARM_UP, right }: Job, folder: string): Promise<number> {
  const request = prepare("tools/call", { name: tool, arguments: args(folder) });
  const text = textOf(succeeded(await client.request(request)));
  if (!right(text)) throw new Error(`unexpected answer: ${text.slice(0, 200)}`);
  for (let at = 0; at < warmUp; at++) await client.send(request);
  const { times: taken } = await client.flood(request, { most: times });
  return median(taken);
}

/** The first line of a file of 1 MiB changes to and fro. */
async function edited(client: Client, file: string): Promise<number> {
  const texts = ["the quick brown fox", "the quick brown cat"].map((words) => `line 0 ${words} jumps over the lazy dog 0`);
  const taken: number[] = [];
  for (let turn = 0; turn < 25; turn++) {
    const [oldText = "", newText = ""] = turn % 2 === 0 ? texts : texts.toReversed();
    const from = performance.now();
    const answer = await client.call("tools/call", { name: "edit_file", arguments: { path: file, edits: [{ oldText, newText }] } });
    taken.push(performance.now() - from);
    succeeded(answer);
    if (!readFileSync(file, "utf8").startsWith(newText)) throw new Error("the file was not edited");
  }
  return median(taken.slice(5));
}

export const filesystem: Suite = {
  about: "reads, search by name and content and tree over 50,000 files (quick: 5,000), an edit of 1 MiB",
  kinds: ["filesystem", "any"],
  rounds: 5,
  quickRounds: 2,
  measure(target, { quick, problem }) {
    const folder = tree(quick ? 5000 : 50_000);
    const file = join(folder, "edit.txt");
    copyFileSync(join(folder, "1m.txt"), file);
    return Client.with(filled(target, folder), async (client) => {
      const figures: Figures = {};
      const attempt = async (figure: string, work: () => Promise<number>): Promise<void> => {
        try {
          figures[figure] = await work();
        } catch (error) {
          figures[figure] = NaN;
          problem(`${figure}: ${String(error)}`);
        }
      };
      const tools = (await client.call("tools/list", {})).result?.tools ?? [];
      const offers = (tool: string): boolean => JSON.stringify(tools).includes(`"name":"${tool}"`);
      for (const job of JOBS) if (offers(job.tool)) await attempt(job.figure, () => timed(client, job, folder));
      await attempt("edit 1MiB ms", () => edited(client, file));
      figures["peak MiB"] = memory(client.pid).peak;
      return figures;
    });
  },
};
