// The confirmation of a move onto an existing file: it is replaced only when the operator or the user allows it.
import { escapeControls } from "@oarlock/domain-kit";
import { confirm, ToolError, type InteractiveContext } from "@oarlock/server-kit";
import type { OpenTrash } from "./dependencies.ts";
import type { Area } from "./disk/access/area.ts";
import { lookAt } from "./disk/access/entry-stat.ts";
import { checkLinkStaysInside } from "./disk/access/link-target.ts";

export interface Replacement {
  readonly source: string;
  readonly destination: string;
  /** The argument of the call. */
  readonly overwrite: boolean;
  readonly allowDelete: boolean;
  /** Keeps what is replaced. */
  readonly openTrash: OpenTrash | undefined;
  /** Throws where the move would fail whatever the user answers. */
  readonly check: () => Promise<void>;
}

/** Returns whether the move will replace a file. Throws when it may not. */
export async function confirmReplacement(area: Area, replacement: Replacement, ctx: InteractiveContext): Promise<boolean> {
  const { overwrite, allowDelete, check } = replacement;
  if (!overwrite || !exists(area, replacement.destination)) return false;
  if (allowDelete) return true;
  await check();
  const [source, destination] = [escapeControls(replacement.source), escapeControls(replacement.destination)];
  const unsupported = `${destination} exists: replacing it needs the user's consent, and your client does not support elicitation. Move it away first, or start the server with --allow-delete.`;
  if (await confirm(ctx, `Replace ${destination} by ${source}? ${await lossOf(area, replacement)}`, unsupported)) return true;
  throw new ToolError(`Not moved: the user did not agree to replace ${destination}.`);
}

async function lossOf(area: Area, { destination, openTrash }: Replacement): Promise<string> {
  using entry = area.entry(destination);
  const stat = lookAt(entry);
  const isKept = stat !== undefined && (await (await openTrash?.())?.keeps(stat)) === true;
  return isKept ? "The server keeps what is there now for 14 days, and can bring it back." : "What is there now is lost.";
}

/** A dangling link exists too. */
function exists(area: Area, destination: string): boolean {
  try {
    using entry = area.entry(destination);
    const stat = lookAt(entry);
    if (stat?.isSymbolicLink() === true) checkLinkStaysInside(area, destination);
    return stat !== undefined;
  } catch {
    return false; // the move itself reports what is wrong with the path
  }
}
