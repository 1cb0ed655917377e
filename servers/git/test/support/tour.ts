// Each known tool once: text everywhere, structured results where the revision has them.
import { tempFolder, type Transport } from "@oarlock/testing";
import { expect, test } from "vitest";
import { makeRepository } from "./repository.ts";
import { textOf, worldOf } from "./world.ts";

const STRUCTURED_SINCE = "2025-06-18";

/** Registers the test for one revision over one transport. */
export function testTour(revision: string, transport: Transport): void {
  test(`runs the tools one after another and concurrently — ${revision} over ${transport}`, async () => {
    const folder = tempFolder();
    const repository = makeRepository(folder.at("project"), { "a.txt": "one\n" });
    await using at = await worldOf(folder, repository, { revision, transport });
    const say = async (name: string, args: Record<string, unknown> = {}): Promise<string> => {
      const result = await at.client.call(name, args);
      expect(result.isError, textOf(result)).toBeUndefined();
      expect(result.structuredContent !== undefined).toBe(revision >= STRUCTURED_SINCE);
      return textOf(result);
    };
    repository.write({ "a.txt": "two\n" });
    expect(await say("git_diff_unstaged")).toBe(`Unstaged changes:\n${repository.raw(["diff"]).toString()}`);
    expect(await say("git_add", { files: ["."] })).toMatch(/^Files staged successfully\nStaged: /);
    expect(await say("git_diff_staged")).toBe(`Staged changes:\n${repository.raw(["diff", "--cached"]).toString()}`);
    const [first = ""] = (await say("git_commit", { message: "second" })).split("\n");
    const head = repository.git("rev-parse", "HEAD");
    expect(first).toBe(`Changes committed successfully with hash ${head}`);
    expect(await say("git_create_branch", { branch_name: "b" })).toBe("Created branch 'b' from 'main'");
    expect(await say("git_checkout", { branch_name: "b" })).toBe("Switched to branch 'b'");
    expect(await say("git_branch")).toBe("* b\n  main");
    const answers = await Promise.all([
      say("git_status"),
      say("git_log", { max_count: 1 }),
      say("git_show", { revision: "HEAD", format: "names" }),
      say("git_diff", { target: "HEAD~1", format: "stat" }),
      say("git_blame", { path: "a.txt" }),
      say("git_grep", { pattern: "two" }),
      say("git_tag", { action: "list" }),
    ]);
    expect(answers.map((answer) => answer.split("\n")[0])).toEqual([
      "Repository status:",
      "Commit history:",
      `Commit: ${head}`,
      "Diff with HEAD~1:",
      expect.stringMatching(new RegExp(`^${head.slice(0, 12)} Ada Lovelace `)),
      "a.txt:1: two",
      "There are no tags",
    ]);
    expect(await at.failure("git_show", { revision: "nope" })).toContain('Unknown revision "nope"');
    expect(await at.failure("git_diff", { target: "--output=x" })).toContain("target");
    repository.write({ "a.txt": "three\n" }).git("add", "-A");
    expect(await say("git_reset")).toBe("All staged changes reset");
    expect(at.wired.faults).toEqual([]);
  });
}
