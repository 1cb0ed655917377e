// History in pages, and blame.
import assert from "node:assert/strict";
import type { Step } from "../../show.ts";
import { done, pick } from "../filesystem/replies.ts";
import type { Scene } from "./scene.ts";

export const log: Step<Scene> = {
  title: "log",
  async play({ client, structured, git }, say) {
    const wanted = git("log", "--format=%H").split("\n");
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.call("git_log", { max_count: 5, ...(cursor !== undefined && { cursor }) });
      const text = done(page);
      seen.push(...[...text.matchAll(/^Commit: (\w+)$/gm)].map(([, hash = ""]) => hash));
      // Without structured content, the text has the cursor.
      cursor = structured ? (pick(page.structuredContent, "nextCursor")[0] as string | undefined) : /cursor (\S+?)\]/.exec(text)?.[1];
      // Another program commits while the pages are read.
      if (seen.length === 5) git("commit", "--quiet", "--allow-empty", "--message", "Another commit");
    } while (cursor !== undefined);
    assert.deepEqual(seen, wanted);
    say(
      `${wanted.length} commits in pages of five. A commit lands between page one and two, and no page shows a commit twice or leaves one out.`,
    );
  },
};

export const blame: Step<Scene> = {
  title: "blame",
  async play({ client, git }, say) {
    const text = done(await client.call("git_blame", { path: "log.txt", start_line: 3, end_line: 4 }));
    const [third, fourth] = [git("log", "--format=%h", "--grep=^Day 3$"), git("log", "--format=%h", "--grep=^Day 4$")];
    for (const part of [third, fourth, "Day 3: rain", "Day 4: fair wind"]) assert.ok(text.includes(part), `${part} is not in ${text}`);
    say("Lines 3 and 4 of the log came with the commits of their days, as git itself says.");
  },
};
