// Settings with a subsection, `section.<anything>.name`, and what they may do here.
import {
  aliasRisk,
  EVERY,
  filterRisk,
  HTTP_NUMBERS,
  mergeOptionsRisk,
  OTHERS,
  updateRisk,
  harmless,
  type SettingRow,
} from "./setting-row.ts";

export const NAMED_SETTINGS: readonly SettingRow[] = [
  { section: "branch", names: "mergeoptions", risk: mergeOptionsRisk, why: "options of a merge, with a strategy by name" },
  harmless("branch", "tells what a branch follows", "remote merge rebase pushremote description deletemerged"),
  { section: "branch", names: OTHERS, risk: "harmless", why: "what other programs note of a branch" },
  harmless(
    "remote",
    "tells what a remote is; each command checks the address that it uses",
    "url pushurl fetch push tagopt prune prunetags mirror promisor partialclonefilter skipdefaultupdate skipfetchall followremotehead " +
      "fetchrecursesubmodules",
  ),
  {
    section: "remote",
    names: "proxy proxyauthmethod uploadpack receivepack vcs serveroption advertisedas negotiationinclude negotiationrestrict",
    risk: "network",
    why: "names programs and proxies that reach the remote, and what it receives",
  },
  { section: "remote", names: OTHERS, risk: "harmless", why: "what other programs note of a remote" },
  harmless(
    "submodule",
    "tells what a submodule is; its repository is checked when it is entered",
    "url active path branch fetchrecursesubmodules ignore shallow",
  ),
  harmless(
    "diff",
    "a driver of an attribute: its programs are switched off by options",
    "command textconv cachetextconv xfuncname funcname binary algorithm wordregex trustexitcode",
  ),
  { section: "color advice", names: EVERY, risk: "harmless", why: "colors are overridden, and hints are for people" },
  harmless("gpg", "overridden: programs that sign", "program mintrustlevel allowedsignersfile revocationfile defaultkeycommand"),
  { section: "submodule", names: "update", risk: updateRisk, why: 'with "!" its value is a command' },
  { section: "submodule", names: "gitdir", risk: "unsafe", why: "moves the git directory of a submodule (git 2.54)" },
  { section: "alias", names: EVERY, risk: aliasRisk, why: "answers where git itself calls a command that it lacks" },
  { section: "includeif", names: "path", risk: "unsafe", why: "brings in settings that were not checked" },
  { section: "filter", names: "clean smudge process required", risk: filterRisk, why: "overridden: programs that run on each file" },
  { section: "merge", names: "driver recursive", risk: "merge", why: "a program that merges files" },
  { section: "hook", names: EVERY, risk: "unsafe", why: "a hook that runs wherever core.hooksPath leads (git 2.54)" },
  harmless("add", "chose the program of dialogs until git 2.40", "usebuiltin"),
  harmless("merge", "describes a driver", "name"),
  harmless("notes", "chooses how notes are merged and copied", "mergestrategy amend rebase"),
  harmless(
    "trailer",
    "read where lines are added to a message, which no command of this server does",
    "key where ifexists ifmissing command cmd",
  ),
  { section: "fetch", names: "skiplist", risk: "network", why: "a file that is read" },
  { section: "fetch", names: EVERY, risk: "harmless", why: "chooses how objects are checked" },
  harmless("http", HTTP_NUMBERS.why, HTTP_NUMBERS.names),
  { section: "log pager versionsort pretty", names: EVERY, risk: "harmless", why: "git reads nothing below a subsection of these" },
  {
    section: "http url credential protocol",
    names: EVERY,
    risk: "network",
    why: "chooses addresses, programs and secrets for the network",
  },
];
