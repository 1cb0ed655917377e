// Root can read every folder, and tests often run as root: what needs a folder that cannot be read runs as another user.
import { execFile } from "node:child_process";
import { chownSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { otherUser } from "@oarlock-tooling/test-support/other-user";
import { nodeCommand } from "@oarlock/testing";
import type { Scratch } from "./scratch.ts";

const PROGRAMS = {
  "closed-directory": new URL("../children/closed-directory.ts", import.meta.url),
  "write-access": new URL("../children/write-access.ts", import.meta.url),
};

const nobody = otherUser(new URL("../../..", import.meta.url));

/**
 * What a program below children/ prints; the folder is given to the user that it runs as, and then `others` may take some of it back.
 * @param what For the program: which of its acts.
 */
export async function asOrdinaryUser(
  place: Scratch,
  what: string,
  others: () => void = () => undefined,
  program: keyof typeof PROGRAMS = "closed-directory",
): Promise<unknown> {
  const base = dirname(place.root);
  const { id } = nobody;
  if (id !== undefined)
    for (const name of ["", ...readdirSync(base, { recursive: true, encoding: "utf8" })]) chownSync(join(base, name), id, id);
  others();
  const child = fileURLToPath(PROGRAMS[program]);
  const { command, args = [] } = nobody.command(nodeCommand(child, [place.root, what]));
  const { stdout } = await promisify(execFile)(command, args, { timeout: 20_000 });
  return JSON.parse(stdout);
}
