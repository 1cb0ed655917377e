// Which settings a repository's own configuration may hold. A listed setting starts no program: either it only chooses how git works,
// or `environment.ts` and the options of each command override it. Any other setting is refused by name.
import { isBuiltInStrategy } from "./operation/merge-strategies.ts";

/** `harmless`: always; `network`: harmless for commands that do not use the network; `unsafe`: may start a program. */
export type SettingRisk = "harmless" | "network" | "unsafe";

/** `section.name` without a subsection. Names only: a wildcard would take in what a later version of git reads there. */
const HARMLESS: Readonly<Record<string, string>> = {
  core:
    "repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol safecrlf quotepath abbrev untrackedcache splitindex " +
    "preloadindex compression loosecompression bigfilethreshold packedgitwindowsize packedgitlimit deltabasecachelimit sharedrepository whitespace notesref commentchar commentstring " +
    "sparsecheckout sparsecheckoutcone trustctime checkstat longpaths protecthfs protectntfs hidedotfiles fscache commitgraph multipackindex checkroundtripencoding " +
    "fsyncobjectfiles fsync fsyncmethod createobject warnambiguousrefs maxtreedepth preferredsymlinkrefs prefersymlinkrefs " +
    // Overridden for every process: hooks, monitors, editors and pagers.
    "hookspath fsmonitor fsmonitorhookversion pager editor excludesfile attributesfile askpass",
  extensions: "objectformat compatobjectformat partialclone worktreeconfig refstorage noop preciousobjects relativeworktrees",
  user: "name email signingkey useconfigonly",
  author: "name email",
  committer: "name email",
  init: "defaultbranch",
  branch: "autosetupmerge autosetuprebase sort",
  tag: "gpgsign sort forcesignannotated",
  commit: "gpgsign cleanup status verbose template",
  log: "abbrevcommit date decorate diffmerges excludedecoration follow graphcolors initialdecorationset mailmap showroot showsignature",
  format: "pretty",
  status:
    "aheadbehind branch displaycommentprefix relativepaths renamelimit renames short showstash showuntrackedfiles submodulesummary comparebranches",
  color: "ui advice branch diff grep interactive pager push remote showbranch status transport",
  column: "ui branch clean status tag",
  advice:
    "addembeddedrepo addemptypathspec addignoredfile amworkdir ambiguousfetchrefspec checkoutambiguousremotebranchname commitbeforemerge defaultbranchname detachedhead diverging fetchshowforcedupdates fetchremoteheadwarn forcedeletebranch graftfiledeprecated ignoredhook implicitidentity mergeconflict nestedtag objectnamewarning pushalreadyexists pushfetchfirst pushneedsforce pushnonffcurrent pushnonffmatching pushnonfastforward pushrefneedsupdate pushunqualifiedrefname pushupdaterejected rebasetodoerror refsyntax resetnorefresh resolveconflict rmhints sequencerinuse setupstreamfailure skippedcherrypicks sparseindexexpanded statusaheadbehindwarning statushints statusuoption submodulealternateerrorstrategydie submodulemergeconflict submodulesnotupdated suggestdetachinghead updatesparsepath usecorefsmonitorconfig waitingforeditor worktreeaddorphan",
  pager:
    "add am annotate apply blame branch cat-file cherry-pick commit config diff difftool fetch for-each-ref format-patch fsck grep help log ls-files ls-tree merge notes pull push range-diff rebase reflog remote reset rev-list shortlog show show-branch stash status submodule tag var whatchanged worktree",
  sequence: "editor",
  gc: "aggressivedepth aggressivewindow auto autodetach autopacklimit bigpackthreshold cruftpacks maxcruftsize logexpiry packrefs pruneexpire reflogexpire reflogexpireunreachable rerereresolved rerereunresolved worktreepruneexpire writecommitgraph",
  maintenance: "auto autodetach strategy",
  pack: "allowpackreuse compression deltacachelimit deltacachesize depth indexversion island islandcore packsizelimit preferbitmaptips readreverseindex threads usebitmapboundarytraversal usebitmaps usepathwalk usesparse window windowmemory writebitmaphashcache writebitmaplookuptable writebitmaps writereverseindex",
  index: "recordendofindexentries recordoffsettable skiphash sparse threads version",
  feature: "experimental manyfiles",
  checkout: "defaultremote guess workers thresholdforparallelism",
  rerere: "autoupdate enabled",
  stash: "index showincludeuntracked showpatch showstat usebuiltin",
  blame: "blankboundary coloring date ignorerevsfile markignoredlines markunblamablelines showemail showroot",
  grep: "linenumber column patterntype extendedregexp threads fullname",
  i18n: "commitencoding filesencoding logoutputencoding",
  push: "default followtags autosetupremote useforceifincludes negotiate recursesubmodules gpgsign pushoption",
  pull: "rebase ff octopus twohead autostash",
  fetch:
    "prune prunetags all output parallel fsckobjects unpacklimit recursesubmodules writecommitgraph negotiationalgorithm showforcedupdates",
  transfer: "fsckobjects unpacklimit hiderefs advertisesid",
  receive:
    "denycurrentbranch denynonfastforwards denydeletes fsckobjects unpacklimit autogc advertiseatomic denydeletecurrent shallowupdate updateserverinfo hiderefs",
  merge:
    "ff conflictstyle renames renamelimit directoryrenames stat log branchdesc autostash tool guitool verbosity renormalize defaulttoupstream suppressdest verifysignatures",
  rebase:
    "abbreviatecommands autosquash autostash backend forkpoint instructionformat maxlabellength missingcommitscheck rebasemerges reschedulefailedexec stat updaterefs usebuiltin",
  diff:
    "algorithm renames renamelimit mnemonicprefix noprefix srcprefix dstprefix relative context interhunkcontext indentheuristic submodule suppressblankempty wordregex " +
    "colormoved colormovedws ignoresubmodules autorefreshindex dirstat statnamewidth statgraphwidth wserrorhighlight tool guitool orderfile external",
  mergetool: "hideresolved keepbackup keeptemporaries prompt writetotemp",
  difftool: "guidefault prompt trustexitcode",
  apply: "ignorewhitespace whitespace",
  am: "keepcr messageid threeway",
  notes: "displayref mergestrategy rewritemode rewriteref",
  worktree: "guessremote userelativepaths",
  sparse: "expectfilesoutsideofpatterns",
  submodule: "recurse active propagatebranches alternatelocation alternateerrorstrategy fetchjobs",
  versionsort: "prereleasesuffix suffix",
  showbranch: "default",
  gpg: "program format mintrustlevel",
  uploadpack: "allowfilter allowanysha1inwant allowreachablesha1inwant allowtipsha1inwant allowrefinwant hiderefs keepalive",
  clone: "defaultremotename",
  bundle: "heuristic mode version",
  repack:
    "cruftdepth cruftthreads cruftwindow cruftwindowmemory midxmustcontaincruft packkeptobjects updateserverinfo usedeltabaseoffset usedeltaislands writebitmaps",
  revert: "reference",
  interactive: "singlekey",
  safe: "directory barerepository",
};

/** Sections that git does not read: those of other programs. Of these only Git LFS may run, and not where a repository configures it. */
const UNREAD: ReadonlySet<string> = new Set(
  "lfs gui guitool gitk gitg magit forge github gitlab hub gitflow git-town branchless svn git-p4 rev reflog".split(" "),
);
/** Sections in which git reads nothing below a subsection. */
const UNREAD_WITH_SUBSECTION: ReadonlySet<string> = new Set("lfs gui guitool gitflow git-town forge log pager versionsort".split(" "));

/** `section.<anything>.name`. */
const HARMLESS_WITH_SUBSECTION: Readonly<Record<string, string>> = {
  branch: "remote merge rebase pushremote description vscode-merge-base github-pr-owner-number gh-merge-base base",
  remote:
    "url pushurl fetch push tagopt prune prunetags mirror promisor partialclonefilter skipdefaultupdate skipfetchall gh-resolved followremotehead fetchrecursesubmodules",
  submodule: "url active path branch fetchrecursesubmodules ignore shallow",
  diff: "command textconv cachetextconv xfuncname funcname binary algorithm wordregex",
  color:
    "added advice branch changed column commit context contextbold contextdimmed current error filename frag func function grafted head header help highlightrecent hint linenumber local localbranch match matchcontext matchselected meta new newbold newdimmed newmoved newmovedalternative newmovedalternativedimmed newmoveddimmed nobranch old oldbold olddimmed oldmoved oldmovedalternative oldmovedalternativedimmed oldmoveddimmed plain prompt rejected remote remotebranch repeatedlines reset selected separator stash success symbol tag unmerged untracked updated upstream warning whitespace worktree",
  maintenance: "auto enabled schedule",
  mergetool: "cmd hideresolved layout hasoutput path trustexitcode useautomerge",
  difftool: "cmd path trustexitcode",
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
  return names.includes(name) || (table !== HARMLESS && table !== HARMLESS_WITH_SUBSECTION && names.includes("*"));
}

/**
 * Whether git itself starts a command of this name, and an alias would answer where there is no such program: merge strategies, helpers
 * for the network and for credentials, and parts of commands (`difftool--helper`).
 */
const isCalledByGit = (alias: string): boolean => /^(?:merge|remote|credential)-|--/i.test(alias);

/** `key` as git lists it: section and name in lower case, a subsection between them unchanged. */
export function riskOf(key: string, value: string | undefined): SettingRisk {
  const first = key.indexOf(".");
  const last = key.lastIndexOf(".");
  const section = key.slice(0, first).toLowerCase();
  const name = key.slice(last + 1).toLowerCase();
  const hasSubsection = last > first;
  // With "!" the value is a command.
  if (section === "submodule" && name === "update") return value?.startsWith("!") === true ? "unsafe" : "harmless";
  if (section === "alias") return isCalledByGit(hasSubsection ? key.slice(first + 1, last) : name) ? "unsafe" : "harmless";
  // git merges with several, and cherry-picks and rebases with the first: a program, or an alias, of that name.
  if (key.toLowerCase() === "pull.twohead" || key.toLowerCase() === "pull.octopus")
    return value?.split(" ").every(isBuiltInStrategy) === true ? "harmless" : "unsafe";
  if ((hasSubsection ? UNREAD_WITH_SUBSECTION : UNREAD).has(section)) return "harmless";
  if (lists(hasSubsection ? HARMLESS_WITH_SUBSECTION : HARMLESS, section, name)) return "harmless";
  return lists(hasSubsection ? NETWORK_WITH_SUBSECTION : NETWORK, section, name) ? "network" : "unsafe";
}
