// Which settings of a repository are harmless, harmless without the network, or refused.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { NAMED_SETTINGS } from "../../../../src/repo/safety/settings/named-settings.ts";
import { PLAIN_SETTINGS } from "../../../../src/repo/safety/settings/plain-settings.ts";
import { newSectionsIn } from "../../../../src/repo/safety/settings/git-facts.ts";
import type { SettingRisk } from "../../../../src/repo/safety/settings/setting-row.ts";
import { riskOf } from "../../../../src/repo/safety/settings/setting-risk.ts";

const TABLES = [
  ["settings", PLAIN_SETTINGS],
  ["settings with a subsection", NAMED_SETTINGS],
] as const;

test.each([
  "core.bare",
  "core.fsmonitor",
  "user.name",
  "remote.origin.url",
  "remote.a.b.c.fetch",
  "branch.main.merge",
  "diff.word.textconv",
  "diff.external",
  "alias.x",
  "Core.FileMode",
  "submodule.recurse",
  "submodule.lib.url",
  "gpg.ssh.program",
  "git-town.main-branch",
  "branch.main.gk-last-accessed",
  "remote.origin.gh-x",
  "remote.pushDefault",
  "sendemail.smtpServer",
  "tar.tgz.command",
  "fsck.skipList",
])("rates the setting %s as harmless", (key) => {
  expect(riskOf(key, "x")).toBe("harmless");
});

test.each([
  "core.sshCommand",
  "core.gitProxy",
  "http.proxy",
  "http.https://x.example/.sslVerify",
  "url.a:.insteadOf",
  "credential.helper",
  "protocol.allow",
  "protocol.ext.allow",
  "remote.origin.proxy",
  "remote.origin.uploadpack",
  "ssh.variant",
])("rates the setting %s as harmless without the network", (key) => {
  expect(riskOf(key, "x")).toBe("network");
});

test.each([
  "filter.x.clean",
  "filter.x.smudge",
  "filter.x.process",
  "merge.x.driver",
  "include.path",
  "includeIf.gitdir:/x.path",
  "core.worktree",
  "core.alternateRefsCommand",
  "core.unsetEnvVars",
  "attr.tree",
  "uploadpack.packObjectsHook",
  "trailer.x.command",
  "hook.x.command",
  "hook.jobs",
  "remotes.all",
  "submodule.lib.gitdir",
  "interactive.diffFilter",
  "gc.recentObjectsHook",
  "gc.repackFilterTo",
  "branch.main.mergeOptions",
  "alias.merge-foo",
  "alias.remote-https",
  "alias.credential-x",
  "alias.difftool--helper",
  "alias.merge-foo.command",
  "Alias.Remote-X.command",
])("refuses %s, which could run something", (key) => {
  expect(riskOf(key, "x")).toBe("unsafe");
});

test.each([
  "extensions.x",
  // A section with a subsection has a list of its own.
  "core.x.bare",
  "log.x",
  "color.x",
  "advice.x",
  "color.diff.x",
  "mergetool.x.y",
  "filemode",
  "submodule.lib.unknown",
])("refuses %s, which is not known in a section that every command may read", (key) => {
  expect(riskOf(key, "x")).toBe("unknown");
});

test.each([
  ["user.x", "change"],
  ["user.x.name", "change"],
  ["rebase.x", "change"],
  ["commit.x", "change"],
  ["remote.origin.unknown", "network"],
  ["push.x", "network"],
])("lets %s block only commands that read its section: %s", (key, risk) => {
  expect(riskOf(key, "x")).toBe(risk);
});

test.each(["constructor.x", "__proto__.x", "custom.update", "gitlens.x", "vscode.x.y", "annex.uuid", "fsmonitor--x.y"])(
  "accepts %s, in a section that git does not read",
  (key) => {
    expect(riskOf(key, "x")).toBe("harmless");
  },
);

test("refuses a section that came with a newer git", () => {
  const keys = "add.ignoreErrors\nCourier.command\ncourier.<name>.x\nadvice.\nsendemail.to\n\n";
  expect(newSectionsIn(keys)).toEqual(new Set(["courier"]));
  expect(riskOf("courier.command", "x", newSectionsIn(keys))).toBe("unknown");
  expect(riskOf("courier.x.command", "x", newSectionsIn(keys))).toBe("unknown");
});

test.each([
  ["checkout", "harmless"],
  [undefined, "harmless"],
  ["!rm -rf .", "unsafe"],
])("rates a submodule update by %j as %s", (value, risk) => {
  expect(riskOf("submodule.lib.update", value)).toBe(risk);
  expect(riskOf("Submodule.lib.Update", value)).toBe(risk);
  expect(riskOf("submodule.lib.url", value)).toBe("harmless");
});

/** Settings that git, its tools and other programs write into repositories. */
const COMMON = `core.autocrlf core.sharedRepository core.sparseCheckout core.fsync core.hooksPath extensions.objectFormat author.name
  committer.email init.defaultBranch branch.autoSetupRebase tag.gpgSign commit.gpgSign log.showSignature format.pretty status.short
  color.ui column.ui advice.detachedHead pager.log sequence.editor gc.auto maintenance.auto pack.threads index.version
  feature.manyFiles checkout.defaultRemote rerere.enabled stash.showPatch blame.ignoreRevsFile grep.lineNumber i18n.commitEncoding
  push.default pull.rebase fetch.prune transfer.fsckObjects receive.denyCurrentBranch merge.conflictStyle rebase.autoStash
  diff.algorithm diff.colorMoved mergetool.keepBackup difftool.prompt guitool.x apply.whitespace am.threeWay notes.displayRef
  rev.x reflog.x worktree.guessRemote sparse.expectFilesOutsideOfPatterns submodule.fetchJobs versionsort.suffix showbranch.default
  gpg.format uploadpack.allowFilter clone.defaultRemoteName bundle.version repack.writeBitmaps revert.reference
  interactive.singleKey safe.directory lfs.repositoryFormatVersion gui.wmstate gitk.x gitg.x magit.x forge.remote github.user
  gitlab.user hub.protocol gitflow.branch branchless.core svn.rmdir git-p4.user branch.main.vscode-merge-base
  submodule.lib.active diff.png.binary color.diff.old pager.x.y alias.x.command log.x.y lfs.https://x.example/.access gui.x.y
  gitflow.branch.master git-town.x.y mergetool.vimdiff.cmd difftool.x.cmd guitool.x.cmd versionsort.x.y forge.x.y
  svn-remote.svn.url`.split(/\s+/);

test("rates common settings as harmless", () => {
  expect(COMMON.filter((key) => riskOf(key, "x") !== "harmless")).toEqual([]);
});

/** Each documented setting: `section name name…`, one section a line. */
const documented = (): string[] =>
  readFileSync(new URL("../../../fixtures/git-2.55-settings.txt", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [section = "", ...names] = line.split(" ");
      return names.filter((name) => !/\*|<(?:slot|command)>$/.test(name)).map((name) => `${section}.${name.replace(/<[^>]*>/, "x")}`);
    });

test("knows every setting that git 2.55 documents, and blocks with reason", () => {
  const keysOf = (risk: SettingRisk): string => [...new Set(documented().filter((key) => riskOf(key, "x") === risk))].join(" ");
  expect(keysOf("unknown")).toBe("");
  expect(keysOf("change")).toBe("");
  expect(keysOf("unsafe")).toMatchInlineSnapshot(
    `"attr.tree branch.x.mergeOptions core.alternateRefsCommand core.unsetenvvars core.worktree filter.x.clean filter.x.smudge gc.recentObjectsHook gc.repackFilterTo hook.x.enabled hook.x.jobs hook.x.command hook.x.event hook.x.parallel hook.jobs include.path includeif.x.path interactive.diffFilter merge.x.driver merge.x.recursive pull.octopus pull.twohead remotes.x submodule.x.gitdir trailer.x.cmd trailer.x.command uploadpack.packObjectsHook"`,
  );
  expect(keysOf("network")).toMatchInlineSnapshot(
    `"core.gitProxy core.sshCommand credential.helper credential.interactive credential.protectProtocol credential.sanitizePrompt credential.useHttpPath credential.username fetch.bundleCreationToken fetch.bundleURI fetch.fsck.skipList http.cookieFile http.curloptResolve http.delegation http.emptyAuth http.extraHeader http.followRedirects http.getanyfile http.pinnedPubkey http.proactiveAuth http.proxy http.proxyAuthMethod http.proxySSLCAInfo http.proxySSLCert http.proxySSLCertPasswordProtected http.proxySSLKey http.receivepack http.saveCookies http.schannelCheckRevoke http.schannelUseSSLCAInfo http.sslBackend http.sslCAInfo http.sslCAPath http.sslCert http.sslCertPasswordProtected http.sslCertType http.sslCipherList http.sslKey http.sslKeyType http.sslTry http.sslVerify http.sslVersion http.uploadarchive http.uploadpack http.userAgent promisor.acceptFromServer promisor.acceptFromServerUrl promisor.checkFields promisor.storeFields protocol.x.allow protocol.allow remote.x.advertisedAs remote.x.negotiationInclude remote.x.negotiationRestrict remote.x.proxy remote.x.proxyAuthMethod remote.x.receivepack remote.x.serverOption remote.x.uploadpack remote.x.vcs sideband.allowControlCharacters ssh.variant transfer.bundleURI url.x.insteadOf url.x.pushInsteadOf"`,
  );
});

test("rates network settings as harmless without the network", () => {
  const keys = ["credential.https://x.example.helper", "url.a:.pushInsteadOf", "remote.origin.serverOption", "http.sslCAInfo"];
  expect(keys.filter((key) => riskOf(key, "x") !== "network")).toEqual([]);
});

test.each([
  ["ort", "harmless"],
  ["resolve octopus", "harmless"],
  ["foo", "unsafe"],
  ["ort foo", "unsafe"],
  ["", "unsafe"],
  [undefined, "unsafe"],
])("rates a merge with the strategy %j as %s", (value, risk) => {
  expect(riskOf("pull.twohead", value)).toBe(risk);
  expect(riskOf("Pull.Octopus", value)).toBe(risk);
});

test.each([
  ["files", "harmless"],
  ["reftable", "harmless"],
  ["reftable:///out", "unsafe"],
  ["files://../../out", "unsafe"],
  ["files\n", "unsafe"],
  [undefined, "unsafe"],
])("rates refs stored as %j as %s", (value, risk) => expect(riskOf("extensions.refStorage", value)).toBe(risk));

test.each(TABLES)("gives each row of %s a reason, names in lower case and no name twice", (_title, rows) => {
  const seen = new Set<string>();
  for (const { section, names, why } of rows) {
    expect(why, section).toMatch(/\S/);
    for (const one of section.split(" "))
      for (const name of typeof names === "string" ? names.split(" ") : []) {
        expect(`${one}.${name}`).toMatch(/^[a-z\d-]+\.[a-z\d-]+$/);
        expect(seen.has(`${one}.${name}`), `${one}.${name}`).toBe(false);
        seen.add(`${one}.${name}`);
      }
  }
});
