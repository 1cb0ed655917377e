// Files and folders that the user of the server may not read: what git passes over is named, and nothing is an internal error.
import { chmodSync, chownSync, readdirSync } from "node:fs";
import { otherUser } from "@oarlock-tooling/test-support/other-user";
import { connectTo, needs, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { makeRepository } from "../../support/repository.ts";
import { bin } from "../../support/target.ts";
import { textOf } from "../../support/world.ts";

const nobody = otherUser(new URL("../../..", import.meta.url));

const TREE = { "a.txt": "a\n", "closed/.gitattributes": "*.bin filter=x\n", "closed/x.txt": "needle\n", sub: {} };

/** What each call answers to a user who may not enter `closed`, not list `sub` and not read `a.txt`. */
const ANSWERS: readonly (readonly [tool: string, args: Record<string, unknown>, text: RegExp])[] = [
  ["git_status", {}, /On branch main[^]*closed\/x\.txt: Permission denied/],
  ["git_diff_unstaged", { format: "names" }, /a\.txt/],
  ["git_diff", { target: "HEAD", format: "sizes" }, /closed\/x\.txt \| 7 -> none bytes/],
  ["git_grep", { pattern: "needle" }, /No matches/],
  ["git_blame", { path: "closed/x.txt" }, /^The user that this server runs as may not .* git says: .*closed\/x\.txt/],
  ["git_blame", { path: "a.txt" }, /^The user that this server runs as may not .* git says: .*a\.txt/],
  ["git_blame", { path: "closed/x.txt", revision: "HEAD" }, /needle/],
  ["git_add", { files: ["."] }, /^The user that this server runs as may not /],
  ["git_add", { files: ["closed/x.txt"] }, /^The user that this server runs as may not .*closed/],
  ["git_add", { files: ["sub"] }, /^The user that this server runs as may not .*sub/],
  ["git_add", { files: ["a.txt"], executable: true }, /^The user that this server runs as may not /],
  ["git_restore", { files: ["closed/x.txt"] }, /^The user that this server runs as may not /],
];

test("names what its user may not read", needs("file modes"), async () => {
  await using folder = tempFolder();
  const repository = makeRepository(folder.at("project"), TREE);
  repository.write({ "a.txt": "changed\n", "sub/new.txt": "n\n" });
  chmodSync(folder.path, 0o755);
  const { id } = nobody;
  if (id !== undefined)
    for (const name of ["", ...readdirSync(repository.path, { recursive: true, encoding: "utf8" })])
      chownSync(`${repository.path}/${name}`, id, id);
  for (const name of ["a.txt", "closed", "sub"]) chmodSync(`${repository.path}/${name}`, 0);
  {
    await using wired = await connectTo(nobody.command(bin(["--repository", repository.path, "--allow-discard"])));
    for (const [tool, args, text] of ANSWERS)
      expect.soft(textOf(await wired.client.call(tool, args)), `${tool} ${JSON.stringify(args)}`).toMatch(text);
    chmodSync(`${repository.path}/.git/refs/heads/main`, 0);
    expect(textOf(await wired.client.call("git_log", {}))).not.toContain("Internal error");
    chmodSync(`${repository.path}/.git/refs/heads/main`, 0o644);
  }
  for (const name of ["closed", "sub"]) chmodSync(`${repository.path}/${name}`, 0o700);
});
