// Which settings of a repository's own configuration may stand there. What is listed runs nothing: either it only chooses how git
// works, or the settings of `environment.ts` and the options of each command overrule it. Anything else is refused by name.

/** Judgement of one setting: harmless everywhere, harmless as long as nothing is fetched or pushed, or not to be trusted. */
export type Judgement = "inert" | "local" | "foreign";

/** `section.name` without a subsection; `*` for every name of the section. */
const INERT: Readonly<Record<string, string>> = {
  core:
    "repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol safecrlf quotepath abbrev untrackedcache splitindex " +
    "preloadindex compression loosecompression bigfilethreshold packedgitwindowsize packedgitlimit deltabasecachelimit sharedrepository whitespace notesref commentchar commentstring " +
    "sparsecheckout sparsecheckoutcone trustctime checkstat longpaths protecthfs protectntfs hidedotfiles fscache commitgraph multipackindex checkroundtripencoding " +
    "fsyncobjectfiles fsync fsyncmethod createobject warnambiguousrefs maxtreedepth unsetenvvars preferredsymlinkrefs prefersymlinkrefs " +
    // Overruled: hooks, monitors, editors and pagers are set for every process.
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
  // Of other programs; git does not read them.
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
const INERT_BELOW: Readonly<Record<string, string>> = {
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

/** Harmless while nothing is fetched or pushed: they choose programs and ways for the network, and nothing here uses it otherwise. */
const LOCAL: Readonly<Record<string, string>> = {
  http: "*",
  url: "*",
  credential: "*",
  core: "sshcommand gitproxy",
  ssh: "variant",
  protocol: "*",
};
const LOCAL_BELOW: Readonly<Record<string, string>> = {
  http: "*",
  url: "*",
  credential: "*",
  protocol: "*",
  remote: "proxy proxyauthmethod uploadpack receivepack vcs serveroption",
};

const sets = new Map<string, ReadonlySet<string>>();

function has(table: Readonly<Record<string, string>>, section: string, name: string): boolean {
  const names = Object.hasOwn(table, section) ? table[section] : undefined;
  if (names === undefined) return false;
  let set = sets.get(names);
  if (set === undefined) sets.set(names, (set = new Set(names.toLowerCase().split(" "))));
  return set.has("*") || set.has(name);
}

/** `key` as git lists it: section and name in lower case, a subsection between them as it is. */
export function judge(key: string, value: string | undefined): Judgement {
  const first = key.indexOf(".");
  const last = key.lastIndexOf(".");
  const section = key.slice(0, first).toLowerCase();
  const name = key.slice(last + 1).toLowerCase();
  const below = last > first;
  // A command instead of a way to update.
  if (section === "submodule" && name === "update") return value?.startsWith("!") === true ? "foreign" : "inert";
  if (has(below ? INERT_BELOW : INERT, section, name)) return "inert";
  return has(below ? LOCAL_BELOW : LOCAL, section, name) ? "local" : "foreign";
}
