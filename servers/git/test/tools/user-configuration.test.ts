// Settings of the machine and the user that reach git: line ends above all, which Git for Windows keeps in the system configuration.
import { rmSync, writeFileSync } from "node:fs";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { TracedGit } from "../cases/traced-git.ts";
import { makeRepository, type TestRepository } from "../support/repository.ts";
import { worldOf, type World } from "../support/world.ts";

const LF = "one\ntwo\nthree\n";
const CRLF = LF.replaceAll("\n", "\r\n");
const CHANGED = CRLF.replace("two", "2");
const AUTOCRLF = "[core]\n\tautocrlf = true\n";

interface Files {
  /** `~/.gitconfig`. */
  readonly global?: string;
  readonly system?: string;
  /** Added to the repository's own configuration. */
  readonly own?: string;
}

/** A repository whose file `a.txt` has LF in the history and CRLF in the work tree, with line two changed. */
async function withConfiguration({ global, system, own }: Files, options: Partial<Parameters<typeof worldOf>[2]> = {}): Promise<World> {
  const folder = tempFolder();
  const repository = makeRepository(folder.at("project"), { "a.txt": LF });
  folder.write({ "home/.gitconfig": global ?? "", "system.config": system ?? "" });
  if (own !== undefined) repository.git("config", "--local", ...own.split(" "));
  repository.write({ "a.txt": CHANGED });
  return worldOf(folder, repository, { ...options, env: { ...environment(folder), ...options.env } });
}

const environment = (folder: TempFolder) => ({
  HOME: folder.at("home"),
  GIT_CONFIG_NOSYSTEM: "0",
  GIT_CONFIG_SYSTEM: folder.at("system.config"),
});

/** Lines that a diff adds. */
const added = (text: string): number => text.match(/^\+(?!\+\+)/gm)?.length ?? 0;
const changedLines = async (at: World): Promise<number> => added((await at.call("git_diff", { target: "HEAD" })).text);
const stored = (repository: TestRepository): string => repository.git("cat-file", "-p", ":a.txt");

test.each([
  ["the user", { global: AUTOCRLF }],
  ["the machine", { system: AUTOCRLF }],
  ["the user, against the machine", { system: "[core]\n\tautocrlf = false\n", global: AUTOCRLF }],
])("shows only the changed line of a file with CRLF, and stores it with LF, as %s sets it", async (_by, files) => {
  await using at = await withConfiguration(files);
  expect(await changedLines(at)).toBe(1);
  await at.call("git_add", { files: ["a.txt"] });
  expect(stored(at.repository)).toBe(LF.replace("two", "2").trimEnd());
  await at.call("git_commit", { message: "change" });
  expect((await at.call("git_status")).text).toContain("working tree clean");
});

test("writes CRLF if the user's configuration sets it", async () => {
  await using at = await withConfiguration({ global: AUTOCRLF }, { allowDiscard: true });
  await at.call("git_restore", { files: ["a.txt"] });
  expect(at.folder.read("project/a.txt")).toBe(CRLF);
});

test.each([
  ["a setting of the repository", "core.autocrlf false", undefined],
  ["an attribute of the repository", undefined, "*.txt -text\n"],
])("prefers %s to the user's setting", async (_what, own, attributes) => {
  await using at = await withConfiguration({ global: AUTOCRLF, ...(own !== undefined && { own }) });
  if (attributes !== undefined) at.repository.write({ ".gitattributes": attributes });
  expect(await changedLines(at)).toBe(3);
});

test("prefers a setting in a file that a trusted repository includes to the user's", async () => {
  await using at = await withConfiguration({ global: AUTOCRLF, own: "include.path more" }, { trust: ["/"] });
  at.repository.write({ ".git/more": "[core]\n\tautocrlf = false\n" });
  expect(await changedLines(at)).toBe(3);
  at.repository.write({ ".git/more": "" });
  expect(await changedLines(at)).toBe(1);
});

test("applies the user's includeIf by folder and by branch", async () => {
  const condition = (path: string) => `[includeIf "gitdir:${path}"]\n\tpath = more\n`;
  await using at = await withConfiguration({ global: condition("**/project/.git") });
  at.folder.write({ "home/more": AUTOCRLF });
  expect(await changedLines(at)).toBe(1);
  at.folder.write({ "home/.gitconfig": condition("**/other/.git") });
  expect(await changedLines(at)).toBe(3);
  at.folder.write({ "home/.gitconfig": '[includeIf "onbranch:side"]\n\tpath = more\n' });
  expect(await changedLines(at)).toBe(3);
  at.repository.git("symbolic-ref", "HEAD", "refs/heads/side");
  at.repository.git("update-ref", "refs/heads/side", "refs/heads/main");
  expect(await changedLines(at)).toBe(1);
});

test("notices each change of the configuration, and starts no process for a git_status without one", async () => {
  await using tools = tempFolder();
  const git = new TracedGit(tools.path);
  await using at = await withConfiguration({}, { git: git.path });
  expect(await changedLines(at)).toBe(3);
  at.folder.write({ "home/.gitconfig": AUTOCRLF });
  expect(await changedLines(at)).toBe(1);
  rmSync(at.folder.at("home/.gitconfig"));
  expect(await changedLines(at)).toBe(3);
  at.folder.write({ "home/.config/git/config": AUTOCRLF });
  expect(await changedLines(at)).toBe(1);
  writeFileSync(at.folder.at("system.config"), "[include]\n\tpath = later\n");
  at.folder.write({ "home/.config/git/config": "" });
  expect(await changedLines(at)).toBe(3);
  at.folder.write({ later: AUTOCRLF });
  expect(await changedLines(at)).toBe(1);
  const commands = async (): Promise<unknown[]> => {
    git.forget();
    await at.call("git_status");
    return git.started().map(({ argv }) => argv[1]);
  };
  // A file is read again as long as another change could have the same time.
  await expect.poll(commands).toEqual(["status"]);
  for (let call = 0; call < 3; call++) expect(await commands()).toEqual(["status"]);
});

test("passes git no other setting of the user's configuration", async () => {
  const mark = "touched";
  const global = `[core]\n\tfsmonitor = touch ${mark}\n\thooksPath = hooks\n\tpager = touch ${mark}\n[diff]\n\texternal = touch ${mark}\n[alias]\n\tst = !touch ${mark}\n`;
  await using at = await withConfiguration({ global });
  for (const tool of ["git_status", "git_diff", "git_log"]) await at.call(tool, tool === "git_diff" ? { target: "HEAD" } : {});
  expect(at.repository.git("ls-files", "--others")).toBe("");
});

test("names the configuration file that git cannot read, and continues once it is mended", async () => {
  await using at = await withConfiguration({ global: "[core\n" });
  const failure = await at.failure("git_status");
  expect(failure).toMatch(/^The git configuration of this machine's user cannot be read: bad config line 1 in file ~\/\.gitconfig\. Mend/);
  at.folder.write({ "home/.gitconfig": AUTOCRLF });
  expect(await changedLines(at)).toBe(1);
});
