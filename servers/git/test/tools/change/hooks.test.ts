// Hooks that take long, fail or leave a program behind: what git has done counts, and replies name the hook.
import { chmodSync } from "node:fs";
import { needs } from "@oarlock/testing";
import { expect, test } from "vitest";
import { lastHookIn } from "../../../src/repo/messages/hook-trace.ts";
import { world, type World, type WorldOptions } from "../../support/world.ts";

async function withHook(name: string, script: string, options: WorldOptions = {}): Promise<World> {
  const at = await world({ tree: { "a.txt": "a\n" }, runHooks: true, ...options });
  at.repository.write({ [`.git/hooks/${name}`]: `#!/bin/sh\n${script}\n`, "a.txt": "b\n" }).git("add", "a.txt");
  chmodSync(`${at.repository.path}/.git/hooks/${name}`, 0o755);
  return at;
}

test("commits when a hook leaves a program behind that goes on writing", needs("shell scripts"), async () => {
  await using at = await withHook("pre-commit", "(while sleep 0.1; do echo alive >&2 || exit; done) &");
  const { data } = await at.call("git_commit", { message: "second" });
  expect(data["hash"]).toBe(at.repository.git("rev-parse", "HEAD"));
});

test("tells that a commit was made whose hook was stopped, and names the hook", needs("shell scripts"), async () => {
  await using at = await withHook("post-commit", "sleep 60", { timeout: 800 });
  const before = at.repository.git("rev-parse", "HEAD");
  const text = await at.failure("git_commit", { message: "second" });
  const head = at.repository.git("rev-parse", "HEAD");
  expect(head).not.toBe(before);
  expect(text).toMatch(/^git commit did not finish within 1 seconds and was stopped, while the hook post-commit ran\. /);
  expect(text).toMatch(/ A longer --timeout of the server, in milliseconds, gives it more time\.$/);
  expect(text).toContain(`HEAD is now ${head} (before: ${before}). Do not repeat the call.`);
});

test("tells that nothing was committed when a hook was stopped before", needs("shell scripts"), async () => {
  await using at = await withHook("pre-commit", "sleep 60", { timeout: 800 });
  expect(await at.failure("git_commit", { message: "second" })).toMatch(/while the hook pre-commit ran\. HEAD has not moved\./);
});

test("names the hook that refuses a commit or a merge, with its words", needs("shell scripts"), async () => {
  await using at = await withHook("commit-msg", "echo 'no ticket in the subject' >&2; exit 3");
  expect(await at.failure("git_commit", { message: "second" })).toBe(
    "The hook commit-msg ended with exit code 3, which stops git commit. Mend what it names, then repeat the call. It says: no ticket in the subject",
  );
});

test("tells what a hook prints when it lets a commit pass", needs("shell scripts"), async () => {
  await using at = await withHook("pre-commit", "echo '2 lint warnings' >&2");
  const { text, data } = await at.call("git_commit", { message: "second" });
  expect(text).toContain("[git says: 2 lint warnings]");
  expect(data["warnings"]).toEqual(["[git says: 2 lint warnings]"]);
});

test("tells once in a session that hooks did not run, and again when other hooks are there", needs("shell scripts"), async () => {
  await using at = await withHook("pre-commit", "exit 0", { runHooks: false });
  const notice = "Hooks were not run: pre-commit;";
  const first = await at.call("git_commit", { message: "first" });
  expect(first.text).toContain(notice);
  const second = await at.call("git_commit", { message: "second", allow_empty: true });
  expect(second.text).not.toContain("Hooks were not run");
  expect(second.data).toMatchObject({ hooksRun: false, warnings: [] });
  at.repository.write({ ".git/hooks/commit-msg": "#!/bin/sh\n" });
  chmodSync(`${at.repository.path}/.git/hooks/commit-msg`, 0o755);
  expect((await at.call("git_commit", { message: "third", allow_empty: true })).text).toContain("not run: commit-msg, pre-commit;");
});

test("names only hooks that git would have run for the call", needs("shell scripts"), async () => {
  await using at = await withHook("post-rewrite", "exit 0", { runHooks: false });
  at.repository.write({ ".git/hooks/pre-merge-commit": "#!/bin/sh\n" });
  chmodSync(`${at.repository.path}/.git/hooks/pre-merge-commit`, 0o755);
  expect((await at.call("git_commit", { message: "second" })).text).not.toContain("Hooks were not run");
  expect((await at.call("git_commit", { message: "", amend: true })).text).toContain("Hooks were not run: post-rewrite;");
});

test("finds the hook of git itself among those of gits that a hook runs", () => {
  const event = (sid: string, more: object): string => JSON.stringify({ sid, ...more });
  const trace = [
    event("a", { event: "child_start", child_id: 0, child_class: "hook", hook_name: "pre-commit" }),
    event("a/b", { event: "child_start", child_id: 0, child_class: "hook", hook_name: "post-checkout" }),
    event("a/b", { event: "child_exit", child_id: 0, code: 0 }),
  ];
  expect(lastHookIn(trace.join("\n"))).toEqual({ name: "pre-commit", exitCode: undefined });
  expect(lastHookIn([...trace, event("a", { event: "child_exit", child_id: 0, code: 7 }), '{"cut'].join("\n"))).toEqual({
    name: "pre-commit",
    exitCode: 7,
  });
  expect(lastHookIn("")).toBeUndefined();
});
