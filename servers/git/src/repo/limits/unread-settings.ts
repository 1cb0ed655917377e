// Settings of a repository that name files anywhere on the machine, and are not read for that reason.
import { addNotice } from "../messages/notices.ts";
import { lastValue } from "../process/config-list.ts";
import type { Repository } from "../repository.ts";

/** Adds a notice where git itself would leave some of the untracked files out. `outcome`: what becomes of them here. */
export function noticeUnreadIgnores({ state }: Repository, outcome: string): void {
  const file = lastValue(state.config, "core.excludesfile");
  if (file === undefined || file === "") return;
  addNotice(`[core.excludesFile of this repository is not read: files that it ignores ${outcome}. .gitignore and .git/info/exclude count]`);
}
