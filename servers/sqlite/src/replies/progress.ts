// Progress of long statements: the seconds so far, because SQLite does not say how far it is.
import type { Context } from "@oarlock/server-kit";

export const reportSeconds =
  (ctx: Context) =>
  (seconds: number): void =>
    ctx.progress(seconds, undefined, `running for ${seconds} s`);
