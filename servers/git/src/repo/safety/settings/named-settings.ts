// Settings with a subsection, `section.<anything>.name`, and what they may do here.
import { aliasRisk, EVERY, HTTP_NUMBERS, updateRisk, harmless, type SettingRow } from "./setting-row.ts";

export const NAMED_SETTINGS: readonly SettingRow[] = [
  harmless(
    "branch",
    "tells what a branch follows",
    "remote merge rebase pushremote description deletemerged vscode-merge-base github-pr-owner-number gh-merge-base base",
  ),
  harmless(
    "remote",
    "tells what a remote is; each command checks the address that it uses",
    "url pushurl fetch push tagopt prune prunetags mirror promisor partialclonefilter skipdefaultupdate skipfetchall gh-resolved " +
      "followremotehead fetchrecursesubmodules",
  ),
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
  harmless(
    "color",
    "colors are overridden",
    "added advice branch changed column commit context contextbold contextdimmed current error filename frag func function grafted " +
      "head header help highlightrecent hint linenumber local localbranch match matchcontext matchselected meta new newbold newdimmed " +
      "newmoved newmovedalternative newmovedalternativedimmed newmoveddimmed nobranch old oldbold olddimmed oldmoved " +
      "oldmovedalternative oldmovedalternativedimmed oldmoveddimmed plain prompt rejected remote remotebranch repeatedlines reset " +
      "selected separator stash success symbol tag unmerged untracked updated upstream warning whitespace worktree",
  ),
  harmless("maintenance", "overridden: no command of this server cleans up", "auto enabled schedule splitfactor batchsize"),
  harmless("mergetool", "read by git mergetool only", "cmd hideresolved layout hasoutput path trustexitcode useautomerge"),
  harmless("difftool", "read by git difftool only", "cmd path trustexitcode"),
  harmless("gpg", "overridden: programs that sign", "program mintrustlevel allowedsignersfile revocationfile defaultkeycommand"),
  { section: "branch remote", names: /-/, risk: "harmless", why: "the setting of another program: those of git hold no dash" },
  { section: "branch", names: "mergeoptions", risk: "unsafe", why: "options of a merge, with a strategy by name" },
  {
    section: "remote",
    names: "proxy proxyauthmethod uploadpack receivepack vcs serveroption",
    risk: "network",
    why: "names programs and proxies that reach the remote",
  },
  { section: "submodule", names: "update", risk: updateRisk, why: 'with "!" its value is a command' },
  { section: "submodule", names: "gitdir", risk: "unsafe", why: "moves the git directory of a submodule (git 2.54)" },
  { section: "alias", names: EVERY, risk: aliasRisk, why: "answers where git itself calls a command that it lacks" },
  { section: "includeif", names: "path", risk: "unsafe", why: "brings in settings that were not checked" },
  { section: "filter", names: "clean smudge process required", risk: "unsafe", why: "programs that run on each file" },
  { section: "merge", names: "driver recursive", risk: "unsafe", why: "a program that merges files" },
  { section: "hook", names: EVERY, risk: "unsafe", why: "a hook that runs wherever core.hooksPath leads (git 2.54)" },
  harmless("merge", "describes a driver", "name"),
  harmless("notes", "chooses how notes are merged and copied", "mergestrategy amend rebase"),
  harmless("trailer", "chooses where a line of a message goes", "key where ifexists ifmissing"),
  { section: "receive", names: EVERY, risk: "harmless", why: "read by the other side of a push" },
  { section: "fetch", names: "skiplist", risk: "network", why: "a file that is read" },
  { section: "fetch", names: EVERY, risk: "harmless", why: "chooses how objects are checked" },
  harmless("gc", "overridden: no command of this server cleans up", "reflogexpire reflogexpireunreachable"),
  harmless("http", HTTP_NUMBERS.why, HTTP_NUMBERS.names),
  { section: "log pager versionsort pretty", names: EVERY, risk: "harmless", why: "git reads nothing below a subsection of these" },
  { section: "trailer", names: "command cmd", risk: "unsafe", why: "a program that writes a line of a message" },
  {
    section: "http url credential protocol",
    names: EVERY,
    risk: "network",
    why: "chooses addresses, programs and secrets for the network",
  },
];
