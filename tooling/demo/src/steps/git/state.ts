// Status, a commit without hooks, and a subscription.
import assert from "node:assert/strict";
import { chmodSync, existsSync } from "node:fs";
import type { Step } from "../../show.ts";
import { until } from "../../wait-for.ts";
import { count, names } from "../../word-lists.ts";
import { done } from "../filesystem/replies.ts";
import { goodbyeStep } from "../../stage.ts";
import type { Scene } from "./scene.ts";

export const greeting: Step<Scene> = {
  title: "greeting",
  async play({ client, revision }, say) {
    assert.equal(client.revision, revision);
    const all = await client.tools().all();
    const some = ["git_status", "git_commit", "git_log", "git_blame"];
    assert.deepEqual(
      some.filter((name) => !all.some((tool) => tool.name === name)),
      [],
    );
    say(`${client.serverInfo.name} serves a repository with twelve commits: ${count(all.length, "tool")}, among them ${names(some)}.`);
  },
};

export const commit: Step<Scene> = {
  title: "commit",
  async play({ client, folder, git }, say) {
    folder.write({ "log.txt": `${folder.read("log.txt")}Day 13: land!\n` });
    folder.write({ "map.txt": "Here be dragons.\n" });
    const before = done(await client.call("git_status", {}));
    for (const name of ["log.txt", "map.txt"]) assert.ok(before.includes(name));
    say("log.txt is changed and map.txt is new, says git_status. Both are staged and committed:");
    // A repository can contain hooks; the server does not run them.
    folder.write({ ".git/hooks/pre-commit": `#!/bin/sh\ntouch '${folder.at("hook-was-here")}'\n` });
    chmodSync(folder.at(".git/hooks/pre-commit"), 0o755);
    done(await client.call("git_add", { files: ["log.txt", "map.txt"] }));
    const [summary = "", ...warnings] = done(await client.call("git_commit", { message: "Day 13: land" })).split("\n");
    assert.equal(summary, `Changes committed successfully with hash ${git("rev-parse", "HEAD")}`);
    assert.equal(git("show", "--format=%s", "--name-only", "HEAD"), "Day 13: land\n\nlog.txt\nmap.txt");
    assert.equal(existsSync(folder.at("hook-was-here")), false);
    assert.ok(warnings.some((line) => line.includes("--run-hooks")));
    for (const line of warnings) say(`    ${line}`);
  },
};

export const subscription: Step<Scene> = {
  title: "subscription",
  async play({ client, folder, git }, say) {
    const uris = (await client.resources().all()).map(({ uri }) => uri);
    const [status, refs] = ["/status", "/refs"].map((end) => uris.find((uri) => uri.endsWith(end)) ?? "");
    assert.ok(status !== undefined && refs !== undefined && status !== "" && refs !== "");
    const heard: string[] = [];
    for (const uri of [status, refs]) await client.subscribe(uri, (changed) => heard.push(changed));
    git("branch", "storm");
    const afterBranch = await until("no notification of the new branch arrived", () => heard.includes(refs));
    folder.write({ "log.txt": "gone overboard\n" });
    git("add", "log.txt");
    const afterAdd = await until("no notification of the staged change arrived", () => heard.includes(status));
    for (const uri of [status, refs]) await client.unsubscribe(uri);
    git("reset", "--quiet", "--hard");
    say(
      `Another program creates a branch, and ${afterBranch} ms later the client is notified of changed refs; of a staged file after ${afterAdd} ms.`,
    );
  },
};

export const refusals: Step<Scene> = {
  title: "the wall",
  async play({ client }, say) {
    for (const [name, args] of [
      ["git_log", { repo_path: "/" }],
      ["git_diff", { target: "--output=/tmp/anything" }],
      ["git_show", { revision: "mian" }],
    ] as const) {
      const refused = await client.call(name, args);
      assert.equal(refused.isError, true);
      const [block] = refused.content;
      assert.ok(block?.type === "text");
      say(`“${block.text.split("\n").at(-1)}”`);
    }
  },
};

export const goodbye: Step<Scene> = goodbyeStep({
  stdio: "The client closes; the server exits with code 0.",
  HTTP: "The server gets SIGTERM and exits with code 0.",
});
