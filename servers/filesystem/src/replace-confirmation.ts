// The confirmation of a move or copy onto an existing file: it is replaced only when the operator or the user allows it.
import { confirm, ToolError, type InteractiveContext } from "@oarlock/server-kit";
import type { Area } from "./disk/access/area.ts";
import { lookAt } from "./disk/access/entry-stat.ts";
import { checkLinkStaysInside } from "./disk/access/link-target.ts";

export interface Replacement {
  readonly act: "move" | "copy";
  readonly source: string;
  readonly destination: string;
  /** The argument of the call. */
  readonly overwrite: boolean;
  readonly allowDelete: boolean;
  /** Throws where the act would fail whatever the user answers. */
  readonly check: () => void;
}

/** Returns whether the act will replace a file. Throws when it may not. */
export async function confirmReplacement(area: Area, replacement: Replacement, ctx: InteractiveContext): Promise<boolean> {
  const { act, source, destination, overwrite, allowDelete, check } = replacement;
  if (!overwrite || !exists(area, destination)) return false;
  if (allowDelete) return true;
  check();
  const way = act === "move" ? "Move it away first" : "Choose another destination";
  const unsupported = `${destination} exists: replacing it needs the user's consent, and your client does not support elicitation. ${way}, or start the server with --allow-delete.`;
  const by = act === "move" ? source : `a copy of ${source}`;
  if (await confirm(ctx, `Replace ${destination} by ${by}? What is there now is lost.`, unsupported)) return true;
  throw new ToolError(`Not ${act === "move" ? "moved" : "copied"}: the user did not agree to replace ${destination}.`);
}

/** A dangling link exists too. */
function exists(area: Area, destination: string): boolean {
  try {
    using entry = area.entry(destination);
    const stat = lookAt(entry);
    if (stat?.isSymbolicLink() === true) checkLinkStaysInside(area, destination);
    return stat !== undefined;
  } catch {
    return false; // the act itself reports what is wrong with the path
  }
}
