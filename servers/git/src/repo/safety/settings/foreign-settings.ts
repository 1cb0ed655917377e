// Sections that no git command of this server reads: whatever they hold starts nothing here.
import { EVERY, type SettingRow } from "./setting-row.ts";

const UNREAD = { names: EVERY, risk: "harmless" } as const;

/** Settings without a subsection. */
export const FOREIGN_SETTINGS: readonly SettingRow[] = [
  { ...UNREAD, section: "lfs", why: "Git LFS runs with --filters only, and not where a repository configures it" },
  { ...UNREAD, section: "gui guitool gitk gitg magit", why: "graphical programs" },
  { ...UNREAD, section: "forge github gitlab hub", why: "programs of hosts" },
  { ...UNREAD, section: "gitflow git-town branchless", why: "programs for branches" },
  { ...UNREAD, section: "svn git-p4 gitcvs", why: "bridges to other systems, commands of their own" },
  { ...UNREAD, section: "sendemail imap", why: "git send-email and imap-send only" },
  { ...UNREAD, section: "instaweb gitweb web browser man", why: "git instaweb and help only" },
  { ...UNREAD, section: "tar", why: "git archive only" },
  { ...UNREAD, section: "fsck", why: "git fsck only" },
  { ...UNREAD, section: "rev reflog", why: "no command of git" },
];

/** Settings with a subsection. */
export const FOREIGN_NAMED_SETTINGS: readonly SettingRow[] = [
  ...FOREIGN_SETTINGS.filter(({ section }) => !/lfs|svn|rev/.test(section)),
  { ...UNREAD, section: "lfs", why: "Git LFS runs with --filters only, and not where a repository configures it" },
  { ...UNREAD, section: "log pager versionsort", why: "git reads nothing below a subsection of these" },
];
