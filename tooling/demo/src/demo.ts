// `npm run demo`: a real client drives the built servers on real files and prints the results. Exit code 0 only if every step
// passed. It needs no keyboard input and leaves no files behind.
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

// A normal exit removes temporary folders; the servers end with their input.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

const narrator = new Narrator();
const from = performance.now();

narrator.line("Oarlock at work: built servers, a real client, and real files in a temporary folder.");
const known = new Set<string>();
for (const show of filesystem) await perform(show, narrator, known);
for (const show of git) await perform(show, narrator, known);
for (const show of sqlite) await perform(show, narrator, known);
for (const show of memory) await perform(show, narrator, known);

narrator.heading("use it yourself");
const entries: string[] = [];
const hostEntry: Step<undefined> = {
  title: "host entry",
  async play(_, say) {
    const here = fileURLToPath(new URL("../../..", import.meta.url));
    entries.push(await triedEntry(command(here), "json"));
    say(
      "Paste the entry below into the settings of a host, and replace the last path with directories of your own. A client has just connected with it.",
    );
  },
};
await performStep(hostEntry, undefined, narrator);

const seconds = ((performance.now() - from) / 1000).toFixed(1);
narrator.line(`\n${count(narrator.passed, "step")} passed, ${narrator.failed} failed, in ${seconds} seconds.`);
for (const entry of entries) narrator.line(`\n${entry}`);
process.exitCode = narrator.failed === 0 ? 0 : 1;
