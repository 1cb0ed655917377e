// The judge of the cases: it must notice what it is there to notice, and every tool must be on its list.
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { strange, toolsOf, tryAll } from "./entry-points.ts";
import { besiege, type Siege, type SiegeOptions } from "./stress.ts";

const open: SiegeOptions = { serve: (base) => ["--repositories-root", base] };

test.each([
  ["(a) the secret in a text", (siege: Siege) => siege.call("git_show", { repo_path: join(siege.out, "repo"), revision: "HEAD" })],
  ["(b) a change in OUT", (siege: Siege) => siege.call("git_create_branch", { repo_path: join(siege.out, "repo"), branch_name: "new" })],
  ["(c) the mark", async (siege: Siege) => writeFileSync(siege.mark, "")],
  ["(e) a lock that is left", async (siege: Siege) => writeFileSync(siege.at("plain/.git/index.lock"), "")],
] as const)("notices %s", async (what, act) => {
  await using siege = await besiege(() => {}, open);
  await siege.judge();
  await act(siege);
  await expect(siege.judge()).rejects.toThrow(what.slice(0, 3));
});

test("notices (c) a program that git starts without leaving a mark", async () => {
  await using siege = await besiege(undefined, { args: ["--run-hooks"] });
  const hooked = siege.repository("hooked");
  hooked.write({ ".git/hooks/pre-commit": "#!/bin/sh\ntrue\n" });
  chmodSync(siege.at("hooked/.git/hooks/pre-commit"), 0o755);
  await siege.call("git_commit", { repo_path: siege.at("hooked"), message: "m", allow_empty: true });
  await expect(siege.judge()).rejects.toThrow("(c)");
});

test("every tool is an entry point, and serves an allowed repository", async () => {
  await using siege = await besiege((own) => {
    const repo = own.repository("r");
    repo.write({ "f.txt": "changed\n" });
  });
  expect(strange(await toolsOf(siege))).toEqual([]);
  const refused = (await tryAll(siege, siege.at("r"))).filter(({ failed }) => failed).map(({ entrance }) => entrance);
  // What has nothing to do here says so: no remote, nothing under way.
  expect(refused.filter((entrance) => !/^git_(fetch|pull|push|clone|cherry_pick)|"step"|resolve_conflicts/.test(entrance))).toEqual([]);
});
