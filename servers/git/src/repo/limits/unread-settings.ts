// Settings of a repository that name files anywhere on the machine, and are not read for that reason.
import { addNotice } from "../messages/notices.ts";
import { lastValue } from "../process/config-list.ts";
import type { Repository } from "../repository.ts";

/** Adds a notice where git itself would treat some of the files in another way. */
export function noticeUnreadAttributes({ state }: Repository): void {
  const file = lastValue(state.config, "core.attributesfile");
  if (file === undefined || file === "") return;
  addNotice(
    "[core.attributesFile of this repository is not read: what it says of line ends, filters and diffs does not count. .gitattributes and .git/info/attributes count]",
  );
}

/** Adds a notice where git itself would leave some of the untracked files out. `outcome`: what becomes of them here. */
export function noticeUnreadIgnores({ state }: Repository, outcome: string): void {
  const file = lastValue(state.config, "core.excludesfile");
  if (file === undefined || file === "") return;
  addNotice(`[core.excludesFile of this repository is not read: files that it ignores ${outcome}. .gitignore and .git/info/exclude count]`);
}
