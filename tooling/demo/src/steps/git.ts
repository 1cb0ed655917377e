// The git server's show: a repository with a little history, a client, and another program that commits to it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync } from "node:fs";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import {
  commandOf,
  cursorOf,
  done,
  NEWEST_OF_ERAS,
  notifiedOf,
  openStage,
  showsOf,
  withParts,
  type Stage,
  type Steps,
  type Transport,
} from "../stage.ts";

interface Scene extends Stage {
  readonly folder: TempFolder;
  git(...args: string[]): string;
}

async function openScene(revision: string, transport: Transport): Promise<Scene> {
  const folder = tempFolder();
  const git = (...args: string[]): string => execFileSync("git", args, { cwd: folder.path, encoding: "utf8", stdio: "pipe" }).trim();
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "The Mate");
  git("config", "user.email", "mate@boat.example");
  for (let day = 1, log = ""; day <= 12; day++) {
    folder.write({ "log.txt": (log += `Day ${day}: ${day % 3 === 0 ? "rain" : "fair wind"}\n`) });
    git("add", "log.txt");
    git("commit", "--quiet", "--message", `Day ${day}`);
  }
  return withParts(await openStage(commandOf("git", "--repository", folder.path), { revision, transport }), { folder, git }, folder);
}

const steps: Steps<Scene> = {
  async greeting({ client, revision }, say) {
    assert.equal(client.revision, revision);
    say(`${client.serverInfo.name} serves a repository with twelve commits: ${(await client.tools().all()).length} tools.`);
  },
  async log({ client, git }, say) {
    const wanted = git("log", "--format=%H").split("\n");
    const seen: string[] = [];
    let cursor: unknown;
    do {
      const page = await client.call("git_log", { max_count: 5, ...(cursor !== undefined && { cursor }) });
      const text = done(page);
      seen.push(...Array.from(text.matchAll(/^Commit: (\w+)$/gm), ([, hash = ""]) => hash));
      cursor = cursorOf(page, /cursor (\S+?)\]/);
      if (seen.length === 5) git("commit", "--quiet", "--allow-empty", "--message", "Another commit");
    } while (cursor !== undefined);
    assert.deepEqual(seen, wanted);
    say(`${wanted.length} commits in pages of five. A commit lands meanwhile, and no page shows a commit twice or leaves one out.`);
  },
  async commit({ client, folder, git }, say) {
    folder.write({ "log.txt": `${folder.read("log.txt")}Day 13: land!\n`, "map.txt": "Here be dragons.\n" });
    assert.match(done(await client.call("git_status", {})), /log\.txt[^]*map\.txt/);
    // A repository can contain hooks; the server does not run them.
    folder.write({ ".git/hooks/pre-commit": `#!/bin/sh\ntouch '${folder.at("hook-was-here")}'\n` });
    chmodSync(folder.at(".git/hooks/pre-commit"), 0o755);
    done(await client.call("git_add", { files: ["log.txt", "map.txt"] }));
    const [summary = "", ...warnings] = done(await client.call("git_commit", { message: "Day 13: land" })).split("\n");
    assert.equal(summary, `Changes committed successfully with hash ${git("rev-parse", "HEAD")}`);
    assert.equal(existsSync(folder.at("hook-was-here")), false);
    say("log.txt is changed and map.txt is new, says git_status. Both are staged and committed:");
    for (const line of warnings) say(`    ${line}`);
  },
  async subscription(scene, say) {
    const uris = (await scene.client.resources().all()).map(({ uri }) => uri);
    const refs = uris.find((uri) => uri.endsWith("/refs")) ?? "";
    const after = await notifiedOf(scene, refs, () => scene.git("branch", "storm"));
    say(`Another program creates a branch, and ${after} ms later the client is notified of changed refs.`);
  },
};

export const git = showsOf("git", openScene, NEWEST_OF_ERAS, steps);
