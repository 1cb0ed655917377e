// Progress of what runs long: seconds so far, as SQLite does not say how far it is.
import type { Context } from "@oarlock/server-kit";

export const elapsedFor =
  (ctx: Context) =>
  (seconds: number): void =>
    ctx.progress(seconds, undefined, `running for ${seconds} s`);
