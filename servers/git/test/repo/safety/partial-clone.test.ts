// Partial clones, which some versions of git complete in the middle of a read.
import { chmodSync } from "node:fs";
import { needs } from "@oarlock/testing";
import { expect, test } from "vitest";
import { canKeepFromFetching } from "../../../src/repo/safety/partial-clone.ts";
import { world, worldOf, type World } from "../../support/world.ts";

const version = (text: string) => {
  const [major = 0, minor = 0, patch = 0] = text.split(".").map(Number);
  return { major, minor, patch };
};

test.each(["2.36.0", "2.36.9", "2.38.5", "2.39.3", "2.40.1", "2.41.0", "2.42.1", "2.43.3", "2.44.0", "2.45.0"])(
  "detects that git %s fetches missing objects unasked",
  (text) => expect(canKeepFromFetching(version(text))).toBe(false),
);

test.each(["2.39.4", "2.39.5", "2.40.2", "2.41.1", "2.42.2", "2.43.4", "2.44.1", "2.45.1", "2.46.0", "2.55.0", "3.0.0"])(
  "detects that git %s can be kept from fetching",
  (text) => expect(canKeepFromFetching(version(text))).toBe(true),
);

test("assumes that an unknown git may fetch", () => expect(canKeepFromFetching(undefined)).toBe(false));

/** A server with a git of the version, which is the installed one in everything else. */
async function worldWithGit(text: string, settings: readonly string[], trusted = false): Promise<World> {
  const at = await world({ tree: { "a.txt": "a\n" } });
  at.folder.write({ git: `#!/bin/sh\n[ "$1" = --version ] && exec echo "git version ${text}"\nexec git "$@"\n` });
  chmodSync(at.folder.at("git"), 0o755);
  for (const key of settings) at.repository.git("config", key, key.endsWith("url") ? "::x" : "true");
  await at.wired[Symbol.asyncDispose]();
  return worldOf(at.folder, at.repository, { git: at.folder.at("git"), ...(trusted && { trust: [at.repository.path] }) });
}

test.each(["extensions.partialclone", "remote.origin.promisor", "remote.a.b.partialclonefilter"])(
  "GIT-27 refuses a partial clone by %s with a git that would fetch",
  needs("shell scripts"),
  async (setting) => {
    await using at = await worldWithGit("2.39.3", [setting, "remote.origin.url"]);
    expect(await at.failure("git_log")).toMatch(/^Refused: \S+ is a partial clone, and git 2\.39\.3 would contact its remote/);
  },
);

test("opens a partial clone with a git that does not fetch, or when the operator trusts it", needs("shell scripts"), async () => {
  await using keeping = await worldWithGit("2.39.4", ["remote.origin.promisor"]);
  await keeping.call("git_log");
  await using trusted = await worldWithGit("2.39.3", ["remote.origin.promisor"], true);
  await trusted.call("git_log");
});

test("opens other repositories with a git that would fetch", needs("shell scripts"), async () => {
  await using at = await worldWithGit("2.39.3", ["remote.origin.url"]);
  await at.call("git_log");
});
