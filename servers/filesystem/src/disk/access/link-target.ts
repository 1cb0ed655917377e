// Links that a call names itself, to move, copy or delete the link instead of its target.
import { DiskError } from "../errors.ts";
import type { Area } from "./area.ts";

/** Throws for a link that leads out of the area, although only the link itself would be changed. A dangling link is fine. */
export function checkLinkStaysInside(area: Area, path: string): void {
  try {
    area.look(path);
  } catch (error) {
    if (!(error instanceof DiskError) || error.code === "denied") throw error;
  }
}
