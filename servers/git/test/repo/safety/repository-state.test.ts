// Which repositories are opened by their configuration, and that each change of it is noticed.
import { chownSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { requireOwnRepository } from "../../../src/repo/safety/repository-owner.ts";
import { RepositoryStateCache } from "../../../src/repo/safety/repository-state.ts";
import { createSandbox, type Sandbox } from "../../../src/repo/safety/sandbox.ts";
import { settled } from "../../support/settled.ts";

const GIT_DIR = { HEAD: "ref: refs/heads/main\n", objects: {}, refs: {} };
const CORE = "[core]\n\tbare = false\n";

/** A repository at `in/top` with this configuration, whose path the server has as `top`. */
function opened(config: string | undefined = CORE, more: Record<string, string> = {}) {
  const folder = tempFolder({ "in/top/.git": { ...GIT_DIR, ...(config !== undefined && { config }), ...more }, "in/other": {}, out: {} });
  const sandboxes = new Map<string, Sandbox>();
  const sandboxOf = (real: string): Sandbox => {
    const sandbox = sandboxes.get(real) ?? createSandbox([{ given: "in", real, kind: "root" }]);
    sandboxes.set(real, sandbox);
    return sandbox;
  };
  const trusted = new Set<string>();
  const allowed = new Set<string>();
  const states = new RepositoryStateCache("git", (real) => trusted.has(real));
  const gitDir = folder.at("in/top/.git");
  const paths = { top: folder.at("in/top"), gitDir, commonDir: gitDir, isBare: false };
  return {
    folder,
    trusted,
    /** `root`: the folder of the sandbox. */
    check: (changed: Partial<typeof paths> = {}, root = folder.at("in")) =>
      states.check(sandboxOf(root), { ...paths, ...changed }, "top", { allowed, newSettings: new Set() }),
    allowed,
    configure: (text: string) => writeFileSync(`${gitDir}/config`, text),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

const refusal = (code: string, text: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(text) as string }) as Error;

const LINK = refusal("unsafe", "Refused: the git directory of top holds the symbolic link refs/link, ");

test("returns the settings in their order, and marks those of the network", async () => {
  await using at = opened(
    `${CORE}[user]\n\tname = Ada\n\tuseConfigOnly\n[http]\n\tproxy = a\n\tproxy = b\n[remote "o"]\n\turl = /x\n\tproxy = c\n`,
  );
  expect(await at.check()).toEqual({
    top: at.folder.at("in/top"),
    gitDir: at.folder.at("in/top/.git"),
    commonDir: at.folder.at("in/top/.git"),
    isBare: false,
    isTrusted: false,
    networkSettings: ["http.proxy", "remote.o.proxy"],
    changeSettings: [],
    mergeSettings: [],
    config: [
      { key: "core.bare", value: "false" },
      { key: "user.name", value: "Ada" },
      { key: "user.useconfigonly", value: undefined },
      { key: "http.proxy", value: "a" },
      { key: "http.proxy", value: "b" },
      { key: "remote.o.url", value: "/x" },
      { key: "remote.o.proxy", value: "c" },
    ],
  });
});

test("opens a repository without a configuration", async () => {
  await using at = opened(undefined);
  rmSync(at.folder.at("in/top/.git/config"), { force: true });
  expect((await at.check()).config).toEqual([]);
});

describe("settings that could run something", () => {
  test("are refused by name, those of a file by the include", async () => {
    await using at = opened(`${CORE}[include]\n\tpath = more\n`, { more: "[filter]\n\tx = y\n" });
    await expect(at.check()).rejects.toThrow(
      refusal(
        "unsafe",
        "Refused: the configuration of top holds settings that could run something: include.path. Remove them (git config --unset), or start the server with --allow-setting include.path for one that you know, or with --trust and the path if you trust the whole repository.",
      ),
    );
  });

  test("appear once each in the refusal, at most five, without passwords", async () => {
    await using at = opened(
      '[includeIf "https://ann:secret@x.example"]\n\tpath = .\n[hook "b"]\n\tcommand = x\n\tcommand = y\n\tevent = x\n',
    );
    await expect(at.check()).rejects.toThrow(": includeif.https://x.example.path, hook.b.command, hook.b.event. Remove");
    at.configure('[hook "x"]\n\ta = 1\n\tb = 1\n\tc = 1\n\td = 1\n\te = 1\n');
    await expect(at.check()).rejects.toThrow(": hook.x.a, hook.x.b, hook.x.c, hook.x.d, hook.x.e. Remove");
    at.configure('[hook "x"]\n\ta = 1\n\tb = 1\n\tc = 1\n\td = 1\n\te = 1\n\tf = 1\n\tg = 1\n');
    await expect(at.check()).rejects.toThrow(": hook.x.a, hook.x.b, hook.x.c, hook.x.d, hook.x.e and 2 more. Remove");
  });

  test("are allowed when the operator trusts the repository", async () => {
    await using at = opened("[filter]\n\tx = y\n");
    at.trusted.add(at.folder.at("in/top"));
    expect(await at.check()).toMatchObject({ isTrusted: true, config: [{ key: "filter.x", value: "y" }] });
  });

  test("are read from the file of a work tree, if the repository has such files", async () => {
    await using at = opened(CORE, { "config.worktree": "[filter]\n\tx = y\n" });
    expect((await at.check()).config).toHaveLength(1);
    for (const value of ["= true", "= false", ""]) {
      at.configure(`${CORE}[extensions]\n\tworktreeConfig ${value}\n`);
      await expect(at.check()).rejects.toThrow(refusal("unsafe", "are not known to be harmless: filter.x."));
    }
    at.folder.write({ "in/top/.git/config.worktree": "[user]\n\tname = Ada\n" });
    expect((await at.check()).config.at(-1)).toEqual({ key: "user.name", value: "Ada" });
  });
});

describe("checks a checked repository again", () => {
  const UNSAFE = "[filter]\n\tx = y\n";

  test("only when its configuration changes", async () => {
    await using at = opened();
    // A younger one could change again within a tick of the clock, and is read each time.
    await settled(at.folder.at("in/top/.git/config"));
    const state = await at.check();
    expect((await at.check({ top: at.folder.at("in") })).top).toBe(at.folder.at("in"));
    // A lock changes the times of the folder.
    at.folder.write({ "in/top/.git/index.lock": "" });
    expect(await at.check()).toBe(state);
    at.configure(CORE + UNSAFE);
    await expect(at.check()).rejects.toThrow("are not known to be harmless: filter.x.");
    at.configure(CORE);
    expect(await at.check()).toEqual(state);
  });

  test("when the configuration of its work tree changes", async () => {
    await using at = opened(`${CORE}[extensions]\n\tworktreeConfig = true\n`, { "config.worktree": "" });
    await at.check();
    at.folder.write({ "in/top/.git/config.worktree": UNSAFE });
    await expect(at.check()).rejects.toThrow("are not known to be harmless: filter.x.");
  });

  test.each(["before the first check", "after it"])("for links that appear in its git directory %s", async (when) => {
    await using at = opened();
    if (when === "after it") await at.check();
    symlinkSync("../../../../out", at.folder.at("in/top/.git/refs/link"));
    await expect(at.check()).rejects.toThrow(LINK);
  });

  // Only an administrator can give a file away.
  test.runIf(process.getuid?.() === 0)("for its owner, unless it is trusted", async () => {
    await using at = opened();
    chownSync(at.folder.at("in/top/.git"), 12_345, 0);
    await expect(at.check()).rejects.toThrow(refusal("unsafe", "Refused: top belongs to another user (uid 12345, "));
    at.trusted.add(at.folder.at("in/top"));
    expect((await at.check()).isTrusted).toBe(true);
  });

  test("in another sandbox, where its alternate object stores may lie outside", async () => {
    await using at = opened();
    at.folder.write({ "in/top/.git/objects/info/alternates": "../../../other\n" });
    await at.check();
    await expect(at.check({}, at.folder.at("in/top"))).rejects.toThrow(refusal("denied", "an alternate object store of it"));
    await at.check();
  });
});

describe("core.worktree", () => {
  const worktree = (path: string) => `${CORE}\tworktree = ${path}\n`;
  const elsewhere = refusal(
    "denied",
    "Access denied - the configuration of top puts its work tree somewhere else (core.worktree). Remove the setting.",
  );

  test("may name the folder of the work tree, from the git directory", async () => {
    await using at = opened(worktree(".."));
    expect((await at.check()).config.at(-1)).toEqual({ key: "core.worktree", value: ".." });
  });

  test.each(["../..", "../../../out", ".", "missing"])("must not name %s", async (path) => {
    await using at = opened(worktree(path));
    await expect(at.check()).rejects.toThrow(elsewhere);
    at.trusted.add(at.folder.at("in/top"));
    await expect(at.check()).rejects.toThrow(elsewhere);
  });

  test("takes its last value, and none in a bare repository", async () => {
    await using at = opened(`${worktree("../../../out")}\tworktree = ..\n`);
    await at.check();
    at.configure(`${worktree("..")}\tworktree = ../../../out\n`);
    await expect(at.check()).rejects.toThrow(elsewhere);
    at.configure(worktree(".."));
    await expect(at.check({ isBare: true })).rejects.toThrow(elsewhere);
  });
});

describe("refuses a configuration that cannot be read", () => {
  const path = (folder: TempFolder): string => folder.at("in/top/.git/config");

  test("refuses a folder or a pipe, which would block", async () => {
    await using at = opened(undefined);
    const message = refusal("unsafe", "Refused: the configuration of the repository is not a plain file. Replace it by one.");
    rmSync(path(at.folder), { force: true });
    at.folder.write({ "in/top/.git/config/x": "" });
    await expect(at.check()).rejects.toThrow(message);
    rmSync(path(at.folder), { recursive: true });
    symlinkSync("none", path(at.folder));
    await expect(at.check()).rejects.toThrow("holds the symbolic link config, ");
  });

  test("refuses a file larger than 4 MiB", async () => {
    await using at = opened();
    const comment = (bytes: number): string => `#${"x".repeat(bytes - 2)}\n`;
    at.configure(comment(4 * 1024 * 1024));
    expect((await at.check()).config).toEqual([]);
    truncateSync(path(at.folder), 4 * 1024 * 1024 + 1);
    await expect(at.check()).rejects.toThrow(refusal("unsafe", "is larger than 4194304 bytes. Make it smaller."));
  });

  test("refuses a file that git cannot parse, without showing its path", async () => {
    await using at = opened("[core\n");
    await expect(at.check()).rejects.toThrow(
      refusal("unsafe", "The configuration of the repository cannot be read: fatal: bad config line 1 in file config"),
    );
  });
});

// Only an administrator can give a file away.
test.runIf(process.getuid?.() === 0)("refuses a repository with any part owned by another user, unless it is trusted", async () => {
  await using folder = tempFolder({ top: { ".git": "" }, git: {}, common: {} });
  const paths = { top: folder.at("top"), gitDir: folder.at("git"), commonDir: folder.at("common"), isBare: false };
  expect(() => requireOwnRepository(paths, "top")).not.toThrow();
  for (const part of ["top", "top/.git", "git", "common"]) {
    chownSync(folder.at(part), 12_345, 0);
    expect(() => requireOwnRepository(paths, "top")).toThrow(
      refusal("unsafe", "Refused: top belongs to another user (uid 12345, this server runs as 0), who may have put anything into it."),
    );
    chownSync(folder.at(part), 0, 0);
  }
  // A missing part has no owner.
  expect(() => requireOwnRepository({ ...paths, gitDir: folder.at("none") }, "top")).not.toThrow();
});

test.runIf(process.getuid?.() === 0)("opens under sudo the repositories of the user who called it, and no others", async () => {
  await using folder = tempFolder({ hers: {}, his: {} });
  chownSync(folder.at("hers"), 12_345, 0);
  chownSync(folder.at("his"), 12_346, 0);
  const checkOf = (name: string) => () =>
    requireOwnRepository({ top: folder.at(name), gitDir: folder.at(name), commonDir: folder.at(name), isBare: false }, name);
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("SUDO_UID", "12345");
  expect(checkOf("hers")).not.toThrow();
  expect(checkOf("his")).toThrow("his belongs to another user (uid 12346, this server runs as 0)");
  vi.stubEnv("SUDO_UID", "someone");
  expect(checkOf("hers")).toThrow("hers belongs to another user");
});
