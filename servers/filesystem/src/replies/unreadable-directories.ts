// The log entry about directories that a tree or a search could not read.
import type { Context } from "@oarlock/server-kit";
import type { Walked } from "../disk/tree/visitor.ts";

export function warnOfUnreadable({ unreadable, unreadablePaths }: Walked, ctx: Pick<Context, "log">): void {
  if (unreadable > 0) ctx.log.warning({ message: "directories could not be read", count: unreadable, first: unreadablePaths });
}
