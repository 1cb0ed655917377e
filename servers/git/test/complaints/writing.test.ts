// Complaints about writing, each answered by a test. The manual lists them.
import { connectTo, tempFolder, withMode } from "@oarlock/testing";
import { expect, test } from "vitest";
import { cloneOf, makeRepository, TestRepository } from "../support/repository.ts";
import { targetOf } from "../support/target.ts";
import { textOf, world } from "../support/world.ts";

/** A signer with the output of gpg, which git takes for a signature. */
const SIGNER = `#!/bin/sh
cat > /dev/null
printf -- '-----BEGIN PGP SIGNATURE-----\\n\\nsigned-by-the-user\\n-----END PGP SIGNATURE-----\\n'
printf '[GNUPG:] SIG_CREATED \\n' >&2
`;

test("servers#2981 --sign uses the signer of the user, never of the repository, and makes no commit when the signer fails", async () => {
  await using folder = tempFolder({
    home: {},
    "user-signer": withMode(0o755, SIGNER),
    "failing-signer": withMode(0o755, "#!/bin/sh\nexit 1\n"),
    "repo-signer": withMode(0o755, SIGNER.replace("signed-by-the-user", "signed-by-the-repository")),
  });
  const repository = makeRepository(folder.at("project"), { f: "one" });
  repository.git("config", "gpg.program", folder.at("repo-signer"));
  repository.git("config", "user.signingKey", "of-the-repository");
  const commit = async (signer: string) => {
    folder.write({ "home/.gitconfig": `[gpg]\n\tprogram = ${folder.at(signer)}\n[user]\n\tsigningKey = mine\n` });
    await using wired = await connectTo(await targetOf({ repositories: [repository.path], sign: true, env: { HOME: folder.at("home") } }));
    return await wired.client.call("git_commit", { message: "signed", allow_empty: true });
  };
  expect((await commit("user-signer")).structuredContent).toMatchObject({ signed: true });
  expect(repository.git("cat-file", "commit", "HEAD")).toContain("signed-by-the-user");
  const head = repository.git("rev-parse", "HEAD");
  expect((await commit("failing-signer")).isError).toBe(true);
  expect(repository.git("rev-parse", "HEAD")).toBe(head);
});

test("servers#1381 servers#518 servers#1923 servers#3787 clones, fetches, pulls and pushes with a toolset", async () => {
  await using folder = tempFolder();
  const origin = makeRepository(folder.at("all/origin.git"), undefined, { bare: true });
  const first = makeRepository(folder.at("all/first"), { f: "one" });
  first.git("push", "-q", origin.path, "main");
  const url = `file://${origin.path}`;
  // Only these tests let the file protocol through; operators choose among those of the network.
  const target = await targetOf({ repositoriesRoots: [folder.at("all")], protocols: ["file"] });
  await using wired = await connectTo(target.server(), {});
  const ok = async (name: string, more: object) => {
    const result = await wired.client.call(name, { ...more });
    expect(result.isError, textOf(result)).toBeUndefined();
    return textOf(result);
  };
  await ok("git_clone", { url, path: "second" });
  const second = cloneOf(origin, folder.at("elsewhere"));
  second.commit("from elsewhere", { g: "two" });
  second.git("push", "-q", url, "main");
  await ok("git_fetch", { repo_path: "second" });
  await ok("git_pull", { repo_path: "second" });
  const cloned = new TestRepository(folder.at("all/second"));
  expect(cloned.git("rev-parse", "HEAD")).toBe(second.git("rev-parse", "HEAD"));
  cloned.git("config", "user.name", "Ada");
  cloned.git("config", "user.email", "ada@example.org");
  await ok("git_commit", { repo_path: "second", message: "to be pushed", allow_empty: true });
  await ok("git_push", { repo_path: "second" });
  expect(origin.git("rev-parse", "main")).toBe(cloned.git("rev-parse", "HEAD"));
  await using without = await connectTo(await targetOf({ repositoriesRoots: [folder.at("all")] }));
  expect(textOf(await without.client.call("git_clone", { url, path: "third" }))).toMatch(/protocol|allowed|https/);
});

test("servers#4791 lists, adds and removes worktrees", async () => {
  await using at = await world({ tree: { f: "one" } });
  await at.call("git_worktree", { action: "add", path: "trees/new", branch: "new", create: true });
  expect(at.repository.git("worktree", "list", "--porcelain")).toContain(`worktree ${at.folder.at("project/trees/new")}`);
  const { data } = await at.call("git_worktree", { action: "list" });
  expect(data["worktrees"]).toMatchObject([{ current: true }, { path: expect.stringMatching(/trees\/new$/), branch: "new" }]);
  expect((await at.call("git_log", { repo_path: at.folder.at("project/trees/new") })).text).toContain("first");
  await at.call("git_worktree", { action: "remove", path: "trees/new" });
  expect(at.repository.git("worktree", "list").split("\n").length).toBe(1);
});

test("v0lka/c0wrk#41 reports in a commit's reply the skipped hooks, the missing signature and the switches for both", async () => {
  await using at = await world({ tree: { f: "one" } });
  at.repository.write({ ".git/hooks/pre-commit": withMode(0o755, "#!/bin/sh\nexit 1\n") }).git("config", "commit.gpgSign", "true");
  const { text, data } = await at.call("git_commit", { message: "m", allow_empty: true });
  expect(data).toMatchObject({ signed: false, hooksRun: false });
  for (const output of [text, JSON.stringify(data["warnings"])]) {
    expect(output).toMatch(/pre-commit/);
    expect(output).toMatch(/--run-hooks/);
    expect(output).toMatch(/unsigned/);
    expect(output).toMatch(/--sign/);
  }
  await using hooked = await world({ tree: { f: "one" }, runHooks: true });
  hooked.repository.write({ ".git/hooks/pre-commit": withMode(0o755, "#!/bin/sh\necho refused by the hook >&2\nexit 1\n") });
  expect(await hooked.failure("git_commit", { message: "m", allow_empty: true })).toContain("refused by the hook");
});
