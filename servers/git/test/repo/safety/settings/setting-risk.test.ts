// Which settings of a repository are harmless, harmless without the network, or refused.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { NAMED_SETTINGS } from "../../../../src/repo/safety/settings/named-settings.ts";
import { PLAIN_SETTINGS } from "../../../../src/repo/safety/settings/plain-settings.ts";
import { newSettingsIn } from "../../../../src/repo/safety/settings/git-facts.ts";
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
  "core.alternateRefsCommand",
  "remotes.all",
])("rates the setting %s as harmless without the network", (key) => {
  expect(riskOf(key, "x")).toBe("network");
});

test.each([
  "include.path",
  "includeIf.gitdir:/x.path",
  "core.worktree",
  "core.unsetEnvVars",
  "attr.tree",
  "hook.x.command",
  "hook.jobs",
  "submodule.lib.gitdir",
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
  "diff.word.x",
  "filter.lfs.x",
  "filemode",
  "submodule.lib.unknown",
])("refuses %s, which is not known in a section that every command may read", (key) => {
  expect(riskOf(key, "x")).toBe("unknown");
});

test.each([
  ["user.x.name", "change"],
  ["rebase.x", "change"],
  ["merge.x", "merge"],
  ["merge.ours.x", "merge"],
  ["commit.x", "change"],
  ["push.x", "network"],
  ["clone.x", "network"],
])("lets %s block only commands that read its section: %s", (key, risk) => {
  expect(riskOf(key, "x")).toBe(risk);
});

test.each(["constructor.x", "__proto__.x", "custom.update", "gitlens.x", "vscode.x.y", "annex.uuid", "fsmonitor--x.y"])(
  "accepts %s, in a section that git does not read",
  (key) => {
    expect(riskOf(key, "x")).toBe("harmless");
  },
);

test("refuses what came with a newer git: a section, and a name where other programs write theirs", () => {
  const keys = "add.ignoreErrors\nCourier.command\ncourier.<name>.x\nadvice.\nsendemail.to\nbranch.<name>.starts\nbranch.<name>.merge\n\n";
  const added = newSettingsIn(keys);
  expect(added).toEqual(new Set(["courier", "branch.starts"]));
  expect(riskOf("courier.command", "x", added)).toBe("unknown");
  expect(riskOf("courier.x.command", "x", added)).toBe("unknown");
  expect(riskOf("branch.main.Starts", "x", added)).toBe("unknown");
  expect(riskOf("branch.main.note", "x", added)).toBe("harmless");
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

/** Settings that other programs and people write into repositories, beside those of git itself. */
const WRITTEN = `branch.main.gk-last-accessed branch.main.gk-last-modified branch.main.gk-merge-base branch.main.gk-merge-target
  branch.main.gk-associated-issues branch.main.vscode-merge-base branch.main.github-pr-owner-number branch.main.gh-merge-base
  branch.main.stgit.stackformatversion branch.main.stgit.parentbranch branch.main.stgit.version branch.main.gerritissue
  branch.main.gerritserver branch.main.gerritpatchset branch.main.gerritsquashhash branch.main.last-upload-hash
  branch.main.rietveldissue branch.main.dormant branch.main.depotbase branch.main.base-upstream branch.main.parent
  branch.main.note branch.main.issue branch.main.sync branch.main.pushRemote branch.main.rebase branch.main.description
  branch.feature/a.b.remote branch.sort branch.autoSetupMerge branch.tracking
  remote.pushDefault remote.origin.gh-resolved remote.origin.glab-resolved remote.origin.lfsurl remote.origin.lfspushurl
  remote.origin.review remote.origin.projectname remote.origin.topgit remote.origin.annex-ignore remote.origin.annex-uuid
  remote.origin.gcrypt-participants remote.origin.autofetch remote.origin.skipFetchAll remote.origin.tagOpt
  user.github user.initials user.handle user.signingKey committer.role
  difftool.prompt difftool.vscode.cmd difftool.vscode.args difftool.trustExitCode difftool.x
  mergetool.vscode.cmd mergetool.vscode.extra mergetool.keepBackup mergetool.meld.useAutoMerge mergetool.meld.hasOutput mergetool.x
  merge.tool merge.guitool merge.conflictStyle merge.ff merge.renormalize merge.npm-merge-driver.name merge.ours.name
  diff.tool diff.guitool diff.noprefix diff.jupyternotebook.command diff.ipynb.textconv diff.pdf.cachetextconv diff.exif.binary
  diff.lisp.xfuncname diff.lockb.textconv diff.ansible-vault.textconv
  filter.lfs.clean filter.lfs.smudge filter.lfs.process filter.lfs.required filter.nbstripout.clean filter.nbstripout.required
  filter.git-crypt.smudge filter.git-crypt.clean filter.indent.clean filter.tabs.smudge
  lfs.repositoryformatversion lfs.https://x.example/info/lfs.access lfs.locksverify lfs.url lfs.fetchexclude lfs.storage
  gpg.format gpg.program gpg.ssh.allowedSignersFile gpg.ssh.program commit.gpgSign tag.gpgSign
  trailer.sign.key trailer.sign.command trailer.see.cmd trailer.separators
  interactive.diffFilter interactive.singleKey delta.navigate delta.side-by-side pager.diff add.interactive.useBuiltin
  maintenance.strategy maintenance.repo maintenance.auto maintenance.commit-graph.enabled maintenance.prefetch.schedule
  gc.auto gc.pruneExpire gc.recentObjectsHook gc.refs/stash.reflogExpire gc.custom repack.writeBitmaps
  uploadpack.packObjectsHook uploadpack.allowFilter receive.fsckObjects receive.fsck.skipList receive.custom
  core.fsmonitor core.untrackedCache core.hooksPath core.editor core.pager core.excludesFile core.attributesFile core.askPass
  core.commentChar core.ignoreCase core.precomposeUnicode core.longPaths core.whitespace core.preloadIndex core.splitIndex
  fsmonitor.socketDir feature.manyFiles feature.experimental index.sparse index.skipHash pack.useSparse
  submodule.lib.url submodule.lib.active submodule.lib.branch submodule.lib.ignore submodule.lib.update submodule.active
  submodule.recurse submodule.fetchJobs submodule.propagateBranches
  safe.directory safe.bareRepository extensions.worktreeConfig extensions.objectFormat extensions.partialClone
  alias.co alias.lg alias.st alias.undo alias.lol.command pretty.mine advice.detachedHead advice.newHint color.ui color.diff.whitespace
  color.status.custom color.custom init.defaultBranch pull.rebase pull.ff push.default push.autoSetupRemote push.followTags
  rebase.autoStash rebase.autoSquash rebase.updateRefs rerere.enabled fetch.prune fetch.pruneTags fetch.writeCommitGraph
  log.date log.follow blame.ignoreRevsFile grep.patternType status.showUntrackedFiles stash.showPatch notes.rewriteRef
  i18n.commitEncoding gui.encoding gui.recentrepo gitk.x guitool.x.cmd sendemail.to sendemail.sendmailcmd format.signOff format.x am.threeWay
  svn-remote.svn.url git-p4.client hub.host hub.protocol gh.x github.user github.oauth-token gitlab.user gitlab.token
  gitflow.branch.master gitflow.prefix.feature gitflow.feature.x.base git-town.main-branch git-town-branch.x.parent git-town.offline
  stgit.autoimerge spr.githubRepository spr.branchPrefix absorb.maxStack absorb.oneFixupPerCommit branchless.core.mainBranch
  gitbutler.aiModel gitkraken.x gitlens.x vscode.x sourcetree.disablerecursiveoperations gitextensions.x tortoisegit.x tgit.projectlanguage
  repo.superproject repo.syncstate.x.y manifest.platform review.https://x.example.username gerrit.createChangeId git-review.host
  depot-tools.useNewAuthStack annex.uuid annex.version gcrypt.x dvc.x jj.x sl.x magit.hideCampaign forge.remote machete.x
  pre-commit.x overcommit.x husky.x commitizen.x ghq.root ghq.https://x.example.vcs core-x.y scalar.repo trace2.eventTarget
  instaweb.browser web.browser browser.x.cmd man.viewer help.autoCorrect column.ui versionsort.suffix tar.umask`
  .split(/\s+/)
  .filter((key) => key !== "");

test("rates two hundred settings that people and programs write as harmless", () => {
  expect(WRITTEN.length).toBeGreaterThan(200);
  expect(WRITTEN.filter((key) => riskOf(key, "x") !== "harmless")).toEqual([]);
});

test.each([
  ["--no-ff", "harmless"],
  ["--no-ff --no-edit --log=20", "harmless"],
  ["--ff-only --stat", "harmless"],
  ["--no-commit", "merge"],
  ["-s custom", "merge"],
  ["--strategy=custom", "merge"],
  ["--no-ff\t-scustom", "merge"],
  ["", "harmless"],
  [undefined, "merge"],
])("rates options of merges %j as %s", (value, risk) => {
  expect(riskOf("branch.main.mergeOptions", value)).toBe(risk);
});

test.each(["merge.x.driver", "merge.x.recursive"])("lets %s block merges only", (key) => {
  expect(riskOf(key, "x")).toBe("merge");
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
  expect(keysOf("unsafe")).toBe(
    "attr.tree core.unsetenvvars core.worktree hook.x.enabled hook.x.jobs hook.x.command hook.x.event hook.x.parallel hook.jobs include.path includeif.x.path submodule.x.gitdir",
  );
  expect(keysOf("merge")).toBe("branch.x.mergeOptions merge.x.driver merge.x.recursive pull.octopus pull.twohead");
  expect(keysOf("network")).toMatchInlineSnapshot(
    `"core.alternateRefsCommand core.gitProxy core.sshCommand credential.helper credential.interactive credential.protectProtocol credential.sanitizePrompt credential.useHttpPath credential.username fetch.bundleCreationToken fetch.bundleURI fetch.fsck.skipList http.cookieFile http.curloptResolve http.delegation http.emptyAuth http.extraHeader http.followRedirects http.getanyfile http.pinnedPubkey http.proactiveAuth http.proxy http.proxyAuthMethod http.proxySSLCAInfo http.proxySSLCert http.proxySSLCertPasswordProtected http.proxySSLKey http.receivepack http.saveCookies http.schannelCheckRevoke http.schannelUseSSLCAInfo http.sslBackend http.sslCAInfo http.sslCAPath http.sslCert http.sslCertPasswordProtected http.sslCertType http.sslCipherList http.sslKey http.sslKeyType http.sslTry http.sslVerify http.sslVersion http.uploadarchive http.uploadpack http.userAgent promisor.acceptFromServer promisor.acceptFromServerUrl promisor.checkFields promisor.storeFields protocol.x.allow protocol.allow remote.x.advertisedAs remote.x.negotiationInclude remote.x.negotiationRestrict remote.x.proxy remote.x.proxyAuthMethod remote.x.receivepack remote.x.serverOption remote.x.uploadpack remote.x.vcs remotes.x sideband.allowControlCharacters ssh.variant transfer.bundleURI url.x.insteadOf url.x.pushInsteadOf"`,
  );
});

test("rates network settings as harmless without the network", () => {
  const keys = ["credential.https://x.example.helper", "url.a:.pushInsteadOf", "remote.origin.serverOption", "http.sslCAInfo"];
  expect(keys.filter((key) => riskOf(key, "x") !== "network")).toEqual([]);
});

test.each([
  ["ort", "harmless"],
  ["resolve octopus", "harmless"],
  ["foo", "merge"],
  ["ort foo", "merge"],
  ["", "merge"],
  [undefined, "merge"],
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
