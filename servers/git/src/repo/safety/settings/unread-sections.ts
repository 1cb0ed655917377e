// Sections of git's configuration that only commands which this server never runs read, by the documentation of git 2.55.
const UNREAD: readonly (readonly [why: string, sections: string])[] = [
  ["graphical programs", "gui guitool"],
  ["bridges to other systems", "svn svn-remote gitcvs fastimport"],
  ["mail", "sendemail imap mailinfo"],
  ["help, browsers and completion", "browser completion help instaweb gitweb web man"],
  ["archives, checks and repair of objects", "tar fsck bitmappseudomerge uploadarchive uploadpackfilter"],
  ["the other side of a transfer; its hook is read from the machine's and the user's files only", "lsrefs receive uploadpack"],
  ["tools that show and merge files", "difftool mergetool"],
  ["dialogs", "interactive"],
  ["mails as commits, commits as mails; git log names its own format", "am"],
  ["lists of branches, removal of untracked files", "showbranch clean"],
  ["cleaning up and packing anew, which is overridden", "gc maintenance repack"],
  ["lists of bundles, files of their own", "bundle"],
  ["replay and scalar", "replay scalar"],
  ["read from the machine's and the user's files only", "trace2"],
  ["helpers of credentials, which a repository cannot choose", "credentialcache credentialstore"],
];

export const UNREAD_SECTIONS: ReadonlySet<string> = new Set(UNREAD.flatMap(([, sections]) => sections.split(" ")));
