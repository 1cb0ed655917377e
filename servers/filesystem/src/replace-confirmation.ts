// A move or copy onto an existing file: it is replaced only if the operator or the user allows it.
import { ToolError, type InteractiveContext } from "@oarlock/server-kit";
import type { Area } from "./disk/access/area.ts";
import { mustNotLeadOut } from "./disk/transfer/move.ts";
import { lookAt } from "./disk/access/entry-stat.ts";
import { isYes } from "./questions.ts";

export interface Replacing {
  readonly source: string;
  readonly destination: string;
  readonly overwrite: boolean;
  readonly allowDelete: boolean;
  /** Throws where it could not be done whatever the user says. */
  readonly check: () => void;
}

const DONE = { move: "moved", copy: "copied" } as const;

/** Whether something will be replaced. Throws when it may not be. */
export async function mayReplace(
  area: Area,
  { source, destination, overwrite, allowDelete, check }: Replacing,
  what: keyof typeof DONE,
  ctx: InteractiveContext,
): Promise<boolean> {
  if (!overwrite || !exists(area, destination)) return false;
  if (allowDelete) return true;
  check();
  if (!ctx.client.can("elicit")) {
    const away = what === "move" ? "Move it away first" : "Choose another destination";
    throw new ToolError(
      `${destination} exists, and your client cannot ask its user whether to replace it. ${away}, or start the server with --allow-delete.`,
    );
  }
  const by = what === "move" ? source : `a copy of ${source}`;
  if (await isYes(ctx, `Replace ${destination} by ${by}? What is there now is lost.`)) return true;
  throw new ToolError(`Not ${DONE[what]}: the user did not agree to replace ${destination}.`);
}

/** A link that leads nowhere is there as well. */
function exists(area: Area, destination: string): boolean {
  try {
    using entry = area.entry(destination);
    const there = lookAt(entry);
    if (there?.isSymbolicLink() === true) mustNotLeadOut(area, destination);
    return there !== undefined;
  } catch {
    return false; // what is wrong with the path is said by the act itself
  }
}
