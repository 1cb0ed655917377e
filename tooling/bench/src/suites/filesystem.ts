/** Work on files: reads, search and tree over many files, an edit in a large one. */
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "../client.ts";
import { median } from "../figures.ts";
import { tree } from "../fixtures.ts";
import { memory } from "../process.ts";
import { attempt, timeJobs } from "./jobs.ts";
import { filled, succeeded, type Suite } from "./suite.ts";

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
  measure(target, how) {
    const folder = tree(how.quick ? 5000 : 50_000);
    const file = join(folder, "edit.txt");
    copyFileSync(join(folder, "1m.txt"), file);
    return Client.with(filled(target, folder), async (client) => {
      const figures = await timeJobs(client, { kind: "filesystem", target, folder }, how);
      if (how.wanted("edit 1MiB ms")) await attempt(figures, "edit 1MiB ms", how, () => edited(client, file));
      return { ...figures, "peak MiB": memory(client.pid).peak };
    });
  },
};
