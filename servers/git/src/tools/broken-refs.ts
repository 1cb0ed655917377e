// The notice in a list of branches or tags about refs whose objects are missing, or whose files are damaged.
import { escapeControls } from "@oarlock/domain-kit";

const MAX_NAMED = 5;

/** One line; none where no ref is broken. */
export function brokenRefsNotice(broken: readonly string[]): string[] {
  if (broken.length === 0) return [];
  const names = broken.slice(0, MAX_NAMED).map(escapeControls).join(", ");
  const more = broken.length > MAX_NAMED ? ` and ${broken.length - MAX_NAMED} more` : "";
  return [`[left out, as their object is missing or their file is damaged: ${names}${more}; .git/logs keeps what refs named before]`];
}
