// `npm run demo`: a real client drives the built servers on real files, and tells what it sees. Exit code 0 only if all of it
// held. Nothing is read from the keyboard, and nothing stays behind.
import { fileURLToPath } from "node:url";
import { triedEntry } from "./host-entry.ts";
import { Narrator } from "./narrator.ts";
import { perform, performStep, type Step } from "./show.ts";
import { filesystem } from "./steps/filesystem/index.ts";
import { command } from "./steps/filesystem/scene.ts";
import { git } from "./steps/git/index.ts";
import { sqlite } from "./steps/sqlite/index.ts";
import { memory } from "./steps/memory/index.ts";
import { count } from "./word-lists.ts";

// An exit like any other, so that temporary folders go; the servers end with their input.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

const narrator = new Narrator();
const from = performance.now();

narrator.line("Oarlock at work. All of this is real: built servers, a client that talks to them, files in a temporary folder.");
const told = new Set<string>();
for (const show of filesystem) await perform(show, narrator, told);
for (const show of git) await perform(show, narrator, told);
for (const show of sqlite) await perform(show, narrator, told);
for (const show of memory) await perform(show, narrator, told);

narrator.heading("use it yourself");
const entries: string[] = [];
const hostEntry: Step<undefined> = {
  title: "host entry",
  async play(_, say) {
    const here = fileURLToPath(new URL("../../..", import.meta.url));
    entries.push(await triedEntry(command(here), "json"));
    say(
      "Paste the entry below into the settings of a host, and put directories of your own in place of the last path. A client was just started with it, and it works.",
    );
  },
};
await performStep(hostEntry, undefined, narrator);

const seconds = ((performance.now() - from) / 1000).toFixed(1);
narrator.line(`\n${count(narrator.held, "step")} held, ${narrator.failed} failed, in ${seconds} seconds.`);
for (const entry of entries) narrator.line(`\n${entry}`);
process.exitCode = narrator.failed === 0 ? 0 : 1;
