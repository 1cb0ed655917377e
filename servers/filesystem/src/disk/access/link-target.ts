// Links that a call names itself, to move, copy or delete the link instead of its target.
import { DiskError } from "../errors.ts";
import type { Sandbox } from "./sandbox.ts";

/** Throws for a link that leads out of the sandbox, although only the link itself would be changed. A dangling link is fine. */
export function checkLinkStaysInside(sandbox: Sandbox, path: string): void {
  try {
    sandbox.look(path);
  } catch (error) {
    if (!(error instanceof DiskError) || error.code === "denied") throw error;
  }
}
