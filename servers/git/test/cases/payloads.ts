// Repositories that would run a program: what each brings along, and the plain git command that does run it, to show that it would.
import { appendFileSync, chmodSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { settingLines, type Setting, type TestRepository } from "../support/repository.ts";

export interface Payload {
  /** The case and what is hostile. */
  readonly title: string;
  /** Brings the program in; `run` is a shell command that makes the mark. */
  plant(repo: TestRepository, run: string): void;
  /** Plain git runs it with these arguments; undefined where it would take a terminal, a network or a newer git. */
  readonly trigger?: readonly string[];
}

/** The case in a title: `GIT-22`. */
export const caseOf = (title: string): string => title.slice(0, "GIT-00".length);

const HOOKS =
  "applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit pre-rebase post-checkout post-merge pre-push pre-auto-gc post-rewrite fsmonitor-watchman post-index-change reference-transaction push-to-checkout update pre-receive post-receive sendemail-validate";

/** A program that makes the mark, and what it prints, at a path of the repository. */
function program(repo: TestRepository, name: string, run: string, rest = "cat"): string {
  repo.write({ [name]: `#!/bin/sh\n${run}\n${rest}\n` });
  chmodSync(join(repo.path, name), 0o755);
  return join(repo.path, name);
}

/** As an attacker would write them. */
const append = (repo: TestRepository, file: string, ...pairs: readonly Setting[]): void =>
  appendFileSync(join(repo.path, file), settingLines(pairs));

const set = (repo: TestRepository, ...pairs: readonly Setting[]): void => append(repo, ".git/config", ...pairs);

/** The index no longer knows whether `f.txt` is as it was. */
const stale = (repo: TestRepository): void => {
  repo.write({ "f.txt": "2wo\n" });
  utimesSync(join(repo.path, "f.txt"), 1_000_000_000, 1_000_000_000);
};

const attributes = (repo: TestRepository, line: string): void => {
  repo.commit("attributes", { ".gitattributes": `${line}\n` });
  repo.commit("second", { "f.txt": "two\n" });
  stale(repo);
};

/** A commit that claims to be signed. */
function signedCommit(repo: TestRepository): void {
  const raw = repo.git("cat-file", "commit", "HEAD");
  const [head = "", ...message] = raw.split("\n\n");
  const signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----";
  const id = repo.raw(["hash-object", "-t", "commit", "-w", "--stdin"], { input: `${head}\n${signature}\n\n${message.join("\n\n")}\n` });
  repo.git("reset", "--quiet", "--hard", id.toString().trim());
}

const config = (title: string, pairs: (run: string) => readonly (readonly [string, string])[], trigger?: readonly string[]): Payload => ({
  title,
  plant: (repo, run) => set(repo, ...pairs(run)),
  ...(trigger !== undefined && { trigger }),
});

const driver = (
  title: string,
  line: string,
  pairs: (run: string) => readonly (readonly [string, string])[],
  trigger: readonly string[],
): Payload => ({
  title,
  plant(repo, run) {
    attributes(repo, line);
    set(repo, ...pairs(run));
  },
  trigger,
});

export const PAYLOADS: readonly Payload[] = [
  config("GIT-19 a file-system monitor", (run) => [["core.fsmonitor", `${run};:`]], ["status"]),
  config(
    "GIT-19 a monitor in other letters, of another version",
    (run) => [
      ["CORE.FsMonitor", `${run};:`],
      ["core.fsmonitorHookVersion", "1"],
    ],
    ["status"],
  ),
  {
    title: "GIT-20 every hook that there is",
    plant: (repo, run) => HOOKS.split(" ").forEach((name) => program(repo, `.git/hooks/${name}`, run, "")),
    trigger: ["commit", "--allow-empty", "-m", "m"],
  },
  {
    title: "GIT-21 a hook path that is tracked",
    plant(repo, run) {
      for (const name of HOOKS.split(" ")) program(repo, `tools/hooks/${name}`, run, "");
      repo.git("add", "-A");
      repo.git("commit", "-qm", "hooks");
      set(repo, ["core.hooksPath", "tools/hooks"]);
    },
    trigger: ["commit", "--allow-empty", "-m", "m"],
  },
  driver("GIT-22 diff.external", "*.bin -text", (run) => [["diff.external", `${run};:`]], ["diff"]),
  driver("GIT-22 an external diff of a driver", "*.txt diff=x", (run) => [["diff.x.command", `${run};:`]], ["diff"]),
  driver("GIT-22 a text converter", "*.txt diff=x", (run) => [["diff.x.textconv", `${run};cat`]], ["log", "-p"]),
  driver(
    "GIT-22 a text converter with a cache",
    "*.txt diff=x",
    (run) => [
      ["diff.x.textconv", `${run};cat`],
      ["diff.x.cachetextconv", "true"],
    ],
    ["blame", "f.txt"],
  ),
  driver("GIT-22 a text converter that a search for changes meets", "*.txt diff=x", (run) => [["diff.x.textconv", `${run};cat`]], [
    "log",
    "-Sone",
  ]),
  driver("GIT-23 a clean filter", "*.txt filter=x", (run) => [["filter.x.clean", `${run};cat`]], ["status"]),
  driver("GIT-23 a smudge filter", "*.txt filter=x", (run) => [["filter.x.smudge", `${run};cat`]], ["checkout", "HEAD", "--", "f.txt"]),
  driver(
    "GIT-23 a long-running filter",
    "*.txt filter=x",
    (run) => [
      ["filter.x.process", `${run};:`],
      ["filter.x.required", "false"],
    ],
    ["add", "f.txt"],
  ),
  driver("GIT-23 a filter in other letters", "*.txt filter=X", (run) => [["FILTER.X.CLEAN", `${run};cat`]], ["status"]),
  {
    title: "GIT-24 an included file with a monitor and filters",
    plant(repo, run) {
      attributes(repo, "*.txt filter=x");
      append(repo, ".git/more", ["core.fsmonitor", `${run};:`], ["filter.x.clean", `${run};cat`]);
      set(repo, ["include.path", "more"]);
    },
    trigger: ["status"],
  },
  {
    title: "GIT-24 a file that is included on a condition",
    plant(repo, run) {
      append(repo, ".git/more", ["core.fsmonitor", `${run};:`], ["diff.external", `${run};:`]);
      set(repo, ["includeIf.gitdir:**.path", "more"], ["IncludeIf.onbranch:**.path", "more"]);
    },
    trigger: ["status"],
  },
  ...["true", "0x1", "1k", "-1", "YES"].map((yes): Payload => ({
    title: `GIT-24 configuration of a work tree, switched on by ${yes}`,
    plant(repo, run) {
      attributes(repo, "*.txt filter=x");
      append(repo, ".git/config.worktree", ["core.fsmonitor", `${run};:`], ["filter.x.clean", `${run};cat`]);
      set(repo, ["extensions.worktreeConfig", yes]);
    },
    trigger: ["status"],
  })),
  config("GIT-25 a signer that signs always", (run) => [
    ["gpg.program", `${run};:`],
    ["commit.gpgSign", "true"],
    ["tag.gpgSign", "true"],
  ]),
  {
    title: "GIT-25 a signer program, always",
    plant: (repo, run) =>
      set(repo, ["gpg.program", program(repo, ".git/signer", run)], ["commit.gpgSign", "true"], ["tag.gpgSign", "true"]),
    trigger: ["commit", "--allow-empty", "-m", "m"],
  },
  {
    title: "GIT-25 signatures by ssh, and a command that finds the key",
    plant: (repo, run) =>
      set(
        repo,
        ["gpg.format", "ssh"],
        ["gpg.ssh.program", program(repo, ".git/signer", run)],
        ["gpg.ssh.defaultKeyCommand", program(repo, ".git/finder", run)],
        ["commit.gpgSign", "true"],
        ["tag.gpgSign", "true"],
        ["tag.forceSignAnnotated", "true"],
      ),
    trigger: ["commit", "--allow-empty", "-m", "m"],
  },
  {
    title: "GIT-25 signatures that are always shown",
    plant(repo, run) {
      signedCommit(repo);
      set(repo, ["gpg.program", program(repo, ".git/signer", run)], ["log.showSignature", "true"], ["format.pretty", "%G? %h"]);
    },
    trigger: ["log", "-1"],
  },
  {
    title: "GIT-25 signatures that a merge verifies",
    plant(repo, run) {
      signedCommit(repo);
      set(repo, ["gpg.program", program(repo, ".git/signer", run)], ["merge.verifySignatures", "true"], ["commit.verbose", "true"]);
    },
    trigger: ["log", "-1", "--format=%G?"],
  },
  {
    title: "GIT-26 editors",
    plant: (repo, run) =>
      set(repo, ["core.editor", `${run};:`], ["sequence.editor", `${run};:`], ["merge.tool", "x"], ["mergetool.x.cmd", run]),
    trigger: ["commit", "--allow-empty", "--amend"],
  },
  config("GIT-26 pagers of everything", (run) => [
    ["core.pager", `${run};cat`],
    ...["log", "diff", "show", "status", "branch", "blame", "grep", "tag", "stash", "reflog", "config", "cat-file"].map(
      (name) => [`pager.${name}`, `${run};cat`] as const,
    ),
  ]),
  config("GIT-26 a filter of interactive diffs", (run) => [["interactive.diffFilter", `${run};cat`]]),
  config(
    "GIT-26 aliases named like commands",
    (run) =>
      ["status", "log", "diff", "show", "cat-file", "for-each-ref", "rev-parse", "blame", "add", "commit", "stash", "stress"].map(
        (name) => [`alias.${name}`, `!${run}`],
      ),
    ["stress"],
  ),
  config(
    "GIT-26 credential helpers and askers",
    (run) => [
      ["credential.helper", `!${run};:`],
      ["credential.https://example.invalid.helper", `!${run};:`],
      ["core.askPass", `${run};:`],
      ["remote.origin.url", "https://user@127.0.0.1:9/x"],
    ],
    ["credential", "fill"],
  ),
  {
    title: "GIT-26 a merge driver",
    plant(repo, run) {
      repo.commit("attributes", { ".gitattributes": "*.txt merge=x\n" });
      repo.git("checkout", "-q", "-b", "stress");
      repo.commit("theirs", { "f.txt": "theirs\n" });
      repo.git("checkout", "-q", "main");
      repo.commit("ours", { "f.txt": "ours\n" });
      set(repo, ["merge.x.driver", `${run};:`], ["merge.x.name", "x"]);
    },
    trigger: ["merge", "stress"],
  },
  config("GIT-26 commands of other parts of git", (run) => [
    ["trailer.x.key", "X"],
    ["trailer.x.command", run],
    ["trailer.x.cmd", run],
    ["tar.tgz.command", run],
    ["uploadpack.packObjectsHook", run],
    ["core.alternateRefsCommand", run],
    ["gc.recentObjectsHook", run],
    ["browser.x.cmd", run],
    ["man.x.cmd", run],
    ["difftool.x.cmd", run],
    ["web.browser", run],
    ["sendemail.sendmailcmd", run],
    ["gc.auto", "1"],
    ["maintenance.auto", "true"],
    ["receive.procreceiverefs", "refs"],
  ]),
];
