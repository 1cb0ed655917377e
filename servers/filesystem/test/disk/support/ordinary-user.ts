// Nothing is closed to an administrator, and tests often run as one: what needs a folder that may not be read is done by a
// child process, which then is nobody.
import { execFile } from "node:child_process";
import { chownSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Scratch } from "./scratch.ts";

const NOBODY = { uid: 65534, gid: 65534 };

/** What children/closed-folder.ts tells; the folder is given to the user that it runs as, and then `others` may take some of it back. */
export async function asOrdinaryUser(
  place: Scratch,
  what: "search" | "watch" | "whole" | "remove",
  others: () => void = () => undefined,
): Promise<unknown> {
  const isAdministrator = process.getuid?.() === 0;
  const base = dirname(place.root);
  const names = isAdministrator ? ["", ...readdirSync(base, { recursive: true, encoding: "utf8" })] : [];
  for (const name of names) chownSync(join(base, name), NOBODY.uid, NOBODY.gid);
  others();
  const child = fileURLToPath(new URL("../children/closed-folder.ts", import.meta.url));
  const options = { timeout: 20_000, ...(isAdministrator ? NOBODY : {}) };
  const { stdout } = await promisify(execFile)(process.execPath, [child, place.root, what], options);
  return JSON.parse(stdout);
}
