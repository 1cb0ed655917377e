// Which settings of a repository are harmless, harmless without the network, or refused.
import { expect, test } from "vitest";
import { riskOf } from "../../../src/repo/safety/harmless-settings.ts";

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
])("the setting %s is harmless", (key) => {
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
])("the setting %s is harmless without the network", (key) => {
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
  "extensions.x",
  "uploadpack.packObjectsHook",
  "trailer.x.command",
  "sendemail.smtpServer",
  "interactive.diffFilter",
  "constructor.x",
  "__proto__.x",
  // A section with a subsection has a list of its own.
  "core.x.bare",
  "user.x.name",
  "filemode",
  "remote.origin.unknown",
])("the setting %s is refused", (key) => {
  expect(riskOf(key, "x")).toBe("unsafe");
});

test.each([
  ["checkout", "harmless"],
  [undefined, "harmless"],
  ["!rm -rf .", "unsafe"],
])("an update of a submodule by %j is %s", (value, risk) => {
  expect(riskOf("submodule.lib.update", value)).toBe(risk);
  expect(riskOf("Submodule.lib.Update", value)).toBe(risk);
});
