// The notice in a list of branches or tags about refs whose objects are missing.
import { escapeControls } from "@oarlock/domain-kit";

const MAX_NAMED = 5;

/** One line; none where no ref is broken. */
export function brokenRefsNotice(broken: readonly string[]): string[] {
  if (broken.length === 0) return [];
  const names = broken.slice(0, MAX_NAMED).map(escapeControls).join(", ");
  const more = broken.length > MAX_NAMED ? ` and ${broken.length - MAX_NAMED} more` : "";
  return [`[left out: the ${broken.length === 1 ? "object is" : "objects are"} missing of ${names}${more}]`];
}
