// The confirmation of a move onto an existing file: it is replaced only when the operator or the user allows it.
import { escapeControls } from "@oarlock/domain-kit";
import { confirm, ToolError, type InteractiveContext } from "@oarlock/server-kit";
import type { OpenTrash } from "./dependencies.ts";
import type { Sandbox } from "./disk/access/sandbox.ts";
import { lookAt } from "./disk/access/entry-stat.ts";
import { checkLinkStaysInside } from "./disk/access/link-target.ts";
import { isWriteProtected } from "./disk/rights/write-access.ts";
import type { Trash } from "./disk/trash/trash.ts";

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

export interface ConfirmedReplacement {
  /** Whether the move will replace a file. */
  readonly replaced: boolean;
  /** Stores the replaced file for as long as the confirmation promised. */
  readonly trash: Trash | undefined;
}

/** Throws where a file is there that may not be replaced. */
export async function confirmReplacement(
  sandbox: Sandbox,
  replacement: Replacement,
  ctx: InteractiveContext,
): Promise<ConfirmedReplacement> {
  const { overwrite, allowDelete, check, openTrash } = replacement;
  const principal = ctx.auth?.principal;
  const trash = await openTrash?.({ principal });
  if (!overwrite || !exists(sandbox, replacement.destination)) return { replaced: false, trash };
  if (allowDelete) return { replaced: true, trash };
  await check();
  const promising = await openTrash?.({ principal, isPromised: true });
  const { isKept, isProtected } = await current(promising, sandbox, replacement.destination);
  const loss = isKept ? "The server keeps what is there now for 14 days, and can bring it back." : "What is there now is lost.";
  const [source, destination] = [escapeControls(replacement.source), escapeControls(replacement.destination)];
  const unsupported = `${destination} exists: replacing it needs the user's consent, and your client does not support elicitation. Move it away first, or start the server with --allow-delete.`;
  if (await confirm(ctx, `Replace ${destination}${isProtected ? " (write-protected)" : ""} by ${source}? ${loss}`, unsupported))
    return { replaced: true, trash: isKept ? promising : trash };
  throw new ToolError(`Not moved: the user did not agree to replace ${destination}.`);
}

/** Of what is at the destination now. */
async function current(trash: Trash | undefined, sandbox: Sandbox, destination: string) {
  using entry = sandbox.entry(destination);
  const stat = lookAt(entry);
  const isKept = stat !== undefined && (await trash?.keeps(stat)) === true;
  return { isKept, isProtected: isWriteProtected(entry, stat) };
}

/** A dangling link exists too. */
function exists(sandbox: Sandbox, destination: string): boolean {
  try {
    using entry = sandbox.entry(destination);
    const stat = lookAt(entry);
    if (stat?.isSymbolicLink() === true) checkLinkStaysInside(sandbox, destination);
    return stat !== undefined;
  } catch {
    return false; // the move itself reports what is wrong with the path
  }
}
