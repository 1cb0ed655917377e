// Settings that are not known to be harmless block the commands that read them, until the operator names them with --allow-setting.
import { appendFileSync, chmodSync } from "node:fs";
import { needs, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { makeRepository } from "../../../support/repository.ts";
import { worldOf, type World } from "../../../support/world.ts";

async function worldWith(text: string, allowSetting: readonly string[] = []): Promise<World> {
  const folder = tempFolder();
  const repository = makeRepository(folder.at("project"), { "a.txt": "a\n" });
  appendFileSync(folder.at("project/.git/config"), text);
  return worldOf(folder, repository, { allowSetting });
}

test("opens a repository with settings of other programs", async () => {
  await using at = await worldWith('[gitlens]\n\tlast = x\n[branch "main"]\n\tgk-last-accessed = x\n[vscode "a"]\n\tcommand = x\n');
  expect((await at.call("git_status")).data).toMatchObject({ branch: "main" });
});

test("names the key and the switch, and opens with it in any case", async () => {
  const text = "[core]\n\tmyOwn = x\n";
  await using at = await worldWith(text);
  expect(await at.failure("git_status")).toMatch(
    /settings that are not known to be harmless: core\.myown\..* --allow-setting core\.myown /,
  );
  await using open = await worldWith(text, ["Core.myOwn"]);
  expect((await open.call("git_status")).data).toMatchObject({ branch: "main" });
});

test("blocks changes, not reads, by a setting that only changes read", async () => {
  await using at = await worldWith("[user]\n\tnick = ann\n");
  expect((await at.call("git_status")).data).toMatchObject({ branch: "main" });
  expect(await at.failure("git_create_branch", { branch_name: "b" })).toContain(
    "holds settings that are not known to be harmless when something is changed: user.nick.",
  );
  await using open = await worldWith("[user]\n\tnick = ann\n", ["user.nick"]);
  await open.call("git_create_branch", { branch_name: "b" });
});

test("keeps an allowed subsection apart from others", async () => {
  await using at = await worldWith('[filter "a"]\n\tclean = x\n[filter "A"]\n\tclean = x\n', ["filter.a.CLEAN"]);
  expect(await at.failure("git_status")).toContain("could run something: filter.A.clean.");
});

test("reads no file of names outside the repository", async () => {
  await using outside = tempFolder({ names: "Mallory <m@example.org> <ada@example.org>\n" });
  await using at = await worldWith(`[mailmap]\n\tfile = ${outside.at("names")}\n`);
  expect(at.repository.git("blame", "a.txt")).toContain("Mallory");
  expect((await at.call("git_blame", { path: "a.txt" })).text).not.toContain("Mallory");
});

test.each([
  { title: "lists its sections", help: "echo courier.command", isRefused: false },
  { title: "reads the section", help: "echo gitlens.last", isRefused: true },
  { title: "lists nothing", help: "exit 1", isRefused: true },
])("judges an unknown section under a newer git that $title", needs("shell scripts"), async ({ help, isRefused }) => {
  await using closed = await worldWith("[gitlens]\n\tlast = x\n");
  const { folder, repository } = closed;
  folder.write({
    git: `#!/bin/sh\ncase "$1" in --version) exec echo "git version 2.99.0";; help) ${help}; exit;; esac\nexec git "$@"\n`,
  });
  chmodSync(folder.at("git"), 0o755);
  await using at = await worldOf(tempFolder(), repository, { git: folder.at("git") });
  if (isRefused) expect(await at.failure("git_status")).toContain("are not known to be harmless: gitlens.last.");
  else await at.call("git_status");
});
