// The built site, for the tests of its pages: the first test file builds it, others that run beside it wait.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));

export const SITE: string = join(PACKAGE, "dist");

export async function buildSite(): Promise<void> {
  const args = ["--conditions=oarlock-source", "src/build.ts", "--if-changed"];
  await promisify(execFile)(process.execPath, args, { cwd: PACKAGE });
}
