// Which settings a repository's own configuration may hold. A listed setting starts no program: either it only chooses how git works,
// or `environment.ts` and the options of each command override it. Any other setting is refused by name.

/** `harmless`: always; `network`: harmless for commands that do not use the network; `unsafe`: may start a program. */
export type SettingRisk = "harmless" | "network" | "unsafe";

/** `section.name` without a subsection; `*` for every name of the section. */
const HARMLESS: Readonly<Record<string, string>> = {
  core:
    "repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol safecrlf quotepath abbrev untrackedcache splitindex " +
    "preloadindex compression loosecompression bigfilethreshold packedgitwindowsize packedgitlimit deltabasecachelimit sharedrepository whitespace notesref commentchar commentstring " +
    "sparsecheckout sparsecheckoutcone trustctime checkstat longpaths protecthfs protectntfs hidedotfiles fscache commitgraph multipackindex checkroundtripencoding " +
    "fsyncobjectfiles fsync fsyncmethod createobject warnambiguousrefs maxtreedepth unsetenvvars preferredsymlinkrefs prefersymlinkrefs " +
    // Overridden for every process: hooks, monitors, editors and pagers.
    "hookspath fsmonitor fsmonitorhookversion pager editor excludesfile attributesfile askpass",
  extensions: "objectformat compatobjectformat partialclone worktreeconfig refstorage noop preciousobjects relativeworktrees",
  user: "*",
  author: "*",
  committer: "*",
  init: "defaultbranch",
  branch: "autosetupmerge autosetuprebase sort",
  tag: "gpgsign sort forcesignannotated",
  commit: "gpgsign cleanup status verbose template",
  log: "*",
  format: "pretty",
  status: "*",
  color: "*",
  column: "*",
  advice: "*",
  alias: "*",
  pager: "*",
  sequence: "editor",
  gc: "*",
  maintenance: "*",
  pack: "*",
  index: "*",
  feature: "*",
  checkout: "defaultremote guess workers thresholdforparallelism",
  rerere: "*",
  stash: "*",
  blame: "*",
  grep: "linenumber column patterntype extendedregexp threads fullname",
  i18n: "*",
  push: "default followtags autosetupremote useforceifincludes negotiate recursesubmodules gpgsign pushoption",
  pull: "rebase ff octopus twohead autostash",
  fetch:
    "prune prunetags all output parallel fsckobjects unpacklimit recursesubmodules writecommitgraph negotiationalgorithm showforcedupdates",
  transfer: "fsckobjects unpacklimit hiderefs advertisesid",
  receive:
    "denycurrentbranch denynonfastforwards denydeletes fsckobjects unpacklimit autogc advertiseatomic denydeletecurrent shallowupdate updateserverinfo hiderefs",
  merge:
    "ff conflictstyle renames renamelimit directoryrenames stat log branchdesc autostash tool guitool verbosity renormalize defaulttoupstream suppressdest verifysignatures",
  rebase: "*",
  diff:
    "algorithm renames renamelimit mnemonicprefix noprefix srcprefix dstprefix relative context interhunkcontext indentheuristic submodule suppressblankempty wordregex " +
    "colormoved colormovedws ignoresubmodules autorefreshindex dirstat statnamewidth statgraphwidth wserrorhighlight tool guitool orderfile external",
  mergetool: "*",
  difftool: "*",
  guitool: "*",
  apply: "*",
  am: "*",
  notes: "*",
  rev: "*",
  reflog: "*",
  worktree: "*",
  sparse: "*",
  submodule: "recurse active propagatebranches alternatelocation alternateerrorstrategy fetchjobs",
  versionsort: "*",
  showbranch: "*",
  gpg: "program format mintrustlevel",
  uploadpack: "allowfilter allowanysha1inwant allowreachablesha1inwant allowtipsha1inwant allowrefinwant hiderefs keepalive",
  clone: "defaultremotename",
  bundle: "*",
  repack: "*",
  revert: "*",
  interactive: "singlekey",
  safe: "directory barerepository",
  // Settings of other programs, which git does not read.
  lfs: "*",
  gui: "*",
  gitk: "*",
  gitg: "*",
  magit: "*",
  forge: "*",
  github: "*",
  gitlab: "*",
  hub: "*",
  gitflow: "*",
  "git-town": "*",
  branchless: "*",
  svn: "*",
  "git-p4": "*",
};

/** `section.<anything>.name`. */
const HARMLESS_WITH_SUBSECTION: Readonly<Record<string, string>> = {
  branch: "remote merge rebase pushremote description vscode-merge-base github-pr-owner-number gh-merge-base base",
  remote:
    "url pushurl fetch push tagopt prune prunetags mirror promisor partialclonefilter skipdefaultupdate skipfetchall gh-resolved followremotehead fetchrecursesubmodules",
  submodule: "url active path branch fetchrecursesubmodules ignore shallow",
  diff: "command textconv cachetextconv xfuncname funcname binary algorithm wordregex",
  color: "*",
  pager: "*",
  alias: "*",
  log: "*",
  lfs: "*",
  gui: "*",
  gitflow: "*",
  "git-town": "*",
  mergetool: "*",
  difftool: "*",
  guitool: "*",
  versionsort: "*",
  forge: "*",
  gpg: "program minTrustLevel allowedsignersfile revocationfile defaultkeycommand",
  "svn-remote": "url fetch branches tags",
};

/** These choose programs and addresses for the network, and only fetch, pull and push use it. */
const NETWORK: Readonly<Record<string, string>> = {
  http: "*",
  url: "*",
  credential: "*",
  core: "sshcommand gitproxy",
  ssh: "variant",
  protocol: "*",
};
const NETWORK_WITH_SUBSECTION: Readonly<Record<string, string>> = {
  http: "*",
  url: "*",
  credential: "*",
  protocol: "*",
  remote: "proxy proxyauthmethod uploadpack receivepack vcs serveroption",
};

function lists(table: Readonly<Record<string, string>>, section: string, name: string): boolean {
  if (!Object.hasOwn(table, section)) return false;
  const names = table[section]?.toLowerCase().split(" ") ?? [];
  return names.includes("*") || names.includes(name);
}

/** `key` as git lists it: section and name in lower case, a subsection between them unchanged. */
export function riskOf(key: string, value: string | undefined): SettingRisk {
  const first = key.indexOf(".");
  const last = key.lastIndexOf(".");
  const section = key.slice(0, first).toLowerCase();
  const name = key.slice(last + 1).toLowerCase();
  const hasSubsection = last > first;
  // With "!" the value is a command.
  if (section === "submodule" && name === "update") return value?.startsWith("!") === true ? "unsafe" : "harmless";
  if (lists(hasSubsection ? HARMLESS_WITH_SUBSECTION : HARMLESS, section, name)) return "harmless";
  return lists(hasSubsection ? NETWORK_WITH_SUBSECTION : NETWORK, section, name) ? "network" : "unsafe";
}
