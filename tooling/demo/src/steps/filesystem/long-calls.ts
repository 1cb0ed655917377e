// Calls that take a while, and what comes of them meanwhile.
import assert from "node:assert/strict";
import type { Progress } from "@oarlock/client";
import type { Step } from "../../show.ts";
import { until } from "../../wait-for.ts";
import { done } from "./replies.ts";
import { LIBRARY, type Scene } from "./scene.ts";

/** A search with much to compare, and nothing to find. */
const SEARCH = { path: LIBRARY, pattern: "**/sea-serpent", excludePatterns: Array.from({ length: 100 }, (_, at) => `**/*a*${at}*e*x`) };

export const progress: Step<Scene> = {
  title: "progress",
  async play({ client, revision }, say) {
    const steps: Progress[] = [];
    const text = done(await client.call("search_files", SEARCH, { onProgress: (step) => steps.push(step) }));
    assert.equal(text, "No matches found");
    const values = steps.map((step) => step.progress);
    assert.ok(values.length > 0, "no progress notification arrived");
    assert.deepEqual(
      values,
      [...new Set(values)].toSorted((a, b) => a - b),
    );
    assert.equal(steps[0]?.message !== undefined, revision >= "2025-03-26");
    say(
      `It looks for a sea serpent in the project's own node_modules, and tells how far it is: ${values.map((value) => value.toLocaleString("en-US")).join(", ")} entries. No serpent.`,
    );
  },
};

export const cancellation: Step<Scene> = {
  title: "cancellation",
  async play({ client }, say) {
    const search = new AbortController();
    let at = 0;
    const calling = client.call("search_files", SEARCH, {
      signal: search.signal,
      onProgress(step) {
        at ||= step.progress;
        search.abort(new Error("enough"));
      },
    });
    await assert.rejects(calling, /^Error: enough$/);
    const from = performance.now();
    await client.ping();
    say(
      `The same search again, cancelled at entry ${at}: it stops, and ${Math.ceil(performance.now() - from)} ms later the server answers the next request.`,
    );
  },
};

export const logging: Step<Scene> = {
  title: "logging",
  async play({ client, folder, log }, say) {
    const search = () => client.call("search_files", { path: folder.path, pattern: "**/sea-serpent" });
    await client.setLevel("error");
    const earlier = log.length; // changes are logged, too
    done(await search());
    assert.equal(log.length, earlier);
    await client.setLevel("warning");
    done(await search());
    await until("the warning did not come", () => log.length > earlier);
    const entry = log[earlier];
    assert.equal(entry?.level, "warning");
    say(`With the level at error: silence. At warning, a nest of 300 boxes makes it speak up: “${words(entry?.data)}”`);
  },
};

function words(data: unknown): string {
  return typeof data === "object" && data !== null && "message" in data ? String(data.message) : String(data);
}
