// Settings without a subsection, `section.name`, and what they may do here.
import { aliasRisk, EVERY, HTTP_NUMBERS, OTHERS, refStorageRisk, strategyRisk, harmless, type SettingRow } from "./setting-row.ts";

export const PLAIN_SETTINGS: readonly SettingRow[] = [
  harmless(
    "core",
    "chooses how git stores files and objects",
    "repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol safecrlf quotepath " +
      "abbrev untrackedcache splitindex preloadindex compression loosecompression bigfilethreshold packedgitwindowsize packedgitlimit " +
      "deltabasecachelimit sharedrepository whitespace notesref commentchar commentstring sparsecheckout sparsecheckoutcone " +
      "trustctime checkstat longpaths protecthfs protectntfs hidedotfiles fscache commitgraph multipackindex checkroundtripencoding " +
      "fsyncobjectfiles fsync fsyncmethod createobject warnambiguousrefs maxtreedepth preferredsymlinkrefs prefersymlinkrefs " +
      "alternaterefsprefixes configlocktimeout filesreflocktimeout ignorestat lockfilepid packedrefstimeout usereplacerefs",
  ),
  harmless(
    "extensions",
    "tells the format of the repository",
    "objectformat compatobjectformat partialclone worktreeconfig noop preciousobjects relativeworktrees",
  ),
  harmless("user", "tells who commits", "name email signingkey useconfigonly"),
  harmless("author committer", "tells who commits", "name email"),
  harmless("branch", "chooses how branches are set up and listed", "autosetupmerge autosetuprebase sort"),
  {
    section: "user author committer branch",
    names: OTHERS,
    risk: "harmless",
    why: "what other programs note of a person or of all branches",
  },
  { section: "color advice", names: EVERY, risk: "harmless", why: "colors are overridden, and hints are for people" },
  harmless(
    "init",
    "read when a repository is created; templates are overridden",
    "defaultbranch defaultobjectformat defaultrefformat defaultsubmodulepathconfig templatedir",
  ),
  harmless("tag", "chooses how tags are listed; signing is overridden", "gpgsign sort forcesignannotated"),
  harmless("commit", "chooses how a message is edited; signing and the template are overridden", "gpgsign cleanup status verbose template"),
  harmless(
    "log",
    "chooses how a history is shown; signatures are overridden",
    "abbrevcommit date decorate diffmerges excludedecoration follow graphcolors initialdecorationset mailmap showroot showsignature graphindent",
  ),
  harmless("format", "chooses how commits are shown; each command names its own format", "pretty"),
  { section: "format", names: OTHERS, risk: "harmless", why: "read by git format-patch only" },
  { section: "pretty", names: EVERY, risk: "harmless", why: "names a format; each command names its own, with the format in full" },
  harmless("mailmap", "chooses names of authors; a file outside is overridden", "blob file"),
  harmless("add", "chooses whether git add goes on after an error", "ignoreerrors ignore-errors"),
  harmless(
    "commitgraph",
    "chooses how the commit graph is read",
    "changedpaths changedpathsversion generationversion maxnewfilters readchangedpaths",
  ),
  harmless("fsmonitor", "monitors are overridden", "allowremote socketdir"),
  harmless("reftable", "chooses how refs are stored", "blocksize geometricfactor indexobjects locktimeout restartinterval"),
  harmless("splitindex", "chooses how the index is split", "maxpercentchange sharedindexexpire"),
  harmless("trailer", "chooses where lines of a message go", "ifexists ifmissing separators where"),
  { section: "attr", names: "tree", risk: "unsafe", why: "takes attributes, and so filters and drivers, from another tree" },
  harmless("promisor", "chooses what is reported, and sent to others", "quiet advertise sendfields"),
  harmless("protocol", "chooses the form of messages", "version"),
  harmless("http", HTTP_NUMBERS.why, HTTP_NUMBERS.names),
  { section: "promisor sideband", names: EVERY, risk: "network", why: "chooses what a server may send" },
  harmless(
    "status",
    "chooses how the status is shown",
    "aheadbehind branch displaycommentprefix relativepaths renamelimit renames short showstash showuntrackedfiles submodulesummary " +
      "comparebranches",
  ),
  harmless("column", "columns are overridden", "ui branch clean status tag"),
  { section: "pager", names: EVERY, risk: "harmless", why: "a pager starts only at a terminal" },
  harmless("sequence", "overridden: the editor of a plan", "editor"),
  harmless(
    "pack",
    "chooses how objects are packed",
    "allowpackreuse compression deltacachelimit deltacachesize depth indexversion island islandcore packsizelimit preferbitmaptips " +
      "readreverseindex threads usebitmapboundarytraversal usebitmaps usepathwalk usesparse window windowmemory writebitmaphashcache " +
      "writebitmaplookuptable writebitmaps writereverseindex",
  ),
  harmless(
    "index",
    "chooses how the index is written; threads are overridden",
    "recordendofindexentries recordoffsettable skiphash sparse threads version",
  ),
  harmless("feature", "chooses defaults of harmless settings", "experimental manyfiles"),
  harmless("checkout", "chooses how a checkout works", "defaultremote guess workers thresholdforparallelism"),
  harmless("rerere", "overridden", "autoupdate enabled"),
  harmless("stash", "chooses how stashes are shown", "index showincludeuntracked showpatch showstat usebuiltin"),
  harmless(
    "blame",
    "chooses how lines are shown; the file of ignoreRevsFile is checked",
    "blankboundary coloring date ignorerevsfile markignoredlines markunblamablelines showemail showroot",
  ),
  harmless("grep", "chooses how hits are shown", "linenumber column patterntype extendedregexp threads fullname fallbacktonoindex"),
  harmless("i18n", "overridden or only an encoding", "commitencoding filesencoding logoutputencoding"),
  harmless(
    "push",
    "chooses what is pushed; signing and submodules are overridden",
    "default followtags autosetupremote useforceifincludes negotiate recursesubmodules gpgsign pushoption usebitmaps",
  ),
  harmless("pull", "chooses how a pull integrates", "rebase ff autostash"),
  harmless(
    "fetch",
    "chooses what is fetched; submodules and the commit graph are overridden",
    "prune prunetags all output parallel fsckobjects unpacklimit recursesubmodules writecommitgraph negotiationalgorithm " +
      "showforcedupdates followremotehead",
  ),
  { section: "fetch", names: "bundleuri bundlecreationtoken", risk: "network", why: "an address that is contacted" },
  harmless(
    "transfer",
    "chooses how objects are checked",
    "fsckobjects unpacklimit hiderefs advertisesid advertiseobjectinfo credentialsinurl",
  ),
  harmless(
    "merge",
    "chooses how a merge works; signatures are overridden",
    "ff summary conflictstyle renames renamelimit directoryrenames stat log branchdesc autostash tool guitool verbosity renormalize " +
      "defaulttoupstream suppressdest verifysignatures",
  ),
  harmless(
    "rebase",
    "chooses how a rebase works; the format of its plan is overridden",
    "abbreviatecommands autosquash autostash backend forkpoint instructionformat maxlabellength missingcommitscheck rebasemerges " +
      "reschedulefailedexec stat updaterefs usebuiltin",
  ),
  harmless(
    "diff",
    "chooses how changes are shown; programs are switched off by options",
    "algorithm renames renamelimit mnemonicprefix noprefix srcprefix dstprefix relative context interhunkcontext indentheuristic " +
      "submodule suppressblankempty wordregex colormoved colormovedws ignoresubmodules autorefreshindex dirstat statnamewidth " +
      "statgraphwidth wserrorhighlight tool guitool orderfile external trustexitcode",
  ),
  harmless("apply", "chooses how white space counts", "ignorewhitespace whitespace"),
  harmless("notes", "chooses which notes are shown and copied", "displayref mergestrategy rewritemode rewriteref"),
  harmless("worktree", "chooses how work trees are linked", "guessremote userelativepaths"),
  harmless("sparse", "chooses how a sparse checkout works", "expectfilesoutsideofpatterns"),
  harmless(
    "submodule",
    "chooses which submodules count; entering them is overridden",
    "recurse active propagatebranches alternatelocation alternateerrorstrategy fetchjobs",
  ),
  harmless("versionsort", "chooses how versions are sorted", "prereleasesuffix suffix"),
  harmless("gpg", "overridden: programs that sign", "program format mintrustlevel"),
  harmless("clone", "read when a repository is cloned", "defaultremotename filtersubmodules rejectshallow"),
  harmless("revert", "chooses the message of a revert", "reference"),
  harmless("safe", "read from the user's own configuration only", "directory barerepository"),
  harmless(
    "core",
    "overridden: hooks, monitors, editors, pagers and files outside",
    "hookspath fsmonitor fsmonitorhookversion pager editor excludesfile attributesfile askpass",
  ),
  { section: "core", names: "sshcommand gitproxy", risk: "network", why: "names a program that reaches a remote" },
  {
    section: "core",
    names: "alternaterefscommand",
    risk: "network",
    why: "a program that lists what a borrowed store has, for a transfer",
  },
  { section: "core", names: "unsetenvvars", risk: "unsafe", why: "drops the variables that keep git safe" },
  { section: "core", names: "worktree", risk: "unsafe", why: "moves the work tree; the value of a submodule is checked by itself" },
  { section: "extensions", names: "refstorage", risk: refStorageRisk, why: "behind :// it names a folder for the refs (git 2.54)" },
  {
    section: "pull",
    names: "twohead octopus",
    risk: strategyRisk,
    why: "names a merge strategy: else a program, or an alias, of that name",
  },
  harmless("remote", "names a remote; each command of this server names its own", "pushdefault"),
  { section: "alias", names: EVERY, risk: aliasRisk, why: "answers where git itself calls a command that it lacks" },
  {
    section: "http url credential protocol",
    names: EVERY,
    risk: "network",
    why: "chooses addresses, programs and secrets for the network",
  },
  { section: "ssh", names: "variant", risk: "network", why: "chooses how ssh is called" },
  { section: "include", names: "path", risk: "unsafe", why: "brings in settings that were not checked" },
  { section: "hook", names: "jobs", risk: "unsafe", why: "belongs to hooks in the configuration (git 2.54)" },
  { section: "remotes", names: EVERY, risk: "network", why: "makes a fetch of one name a fetch of other remotes" },
];
