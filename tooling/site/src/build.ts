// Builds the site into `dist/`: pnpm docs:build. With `--if-changed` only if a file of the repository has changed since the last build.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vitepress";
import { makeOnce } from "../../build/make-once.ts";
import { gather, ROOT } from "./gather.ts";
import { writeMachineTexts } from "./machine-texts.ts";

const SITE = fileURLToPath(new URL("../dist", import.meta.url));
const RECORD = fileURLToPath(new URL("../node_modules/.cache/site-built-from", import.meta.url));

/** A digest of all files that git does not ignore. */
function fingerprintOf(folder: string): string {
  const list = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: folder, encoding: "utf8", maxBuffer: 64 << 20 });
  const digest = createHash("sha256");
  for (const file of list.split("\0").filter((path) => path !== "" && existsSync(join(folder, path))))
    digest
      .update(`${file}\0`)
      .update(readFileSync(join(folder, file)))
      .update("\0");
  return digest.digest("hex");
}

const fingerprint = fingerprintOf(ROOT);
/** With the time of a file that each build writes: a build that keeps no record, as of an older commit, makes this one invalid. */
const state = (): string => `${fingerprint} ${statSync(join(SITE, "hashmap.json"), { throwIfNoEntry: false })?.mtimeMs}`;

if (!process.argv.includes("--if-changed")) rmSync(RECORD, { force: true });
await makeOnce(RECORD, state, async () => {
  gather();
  await build(fileURLToPath(new URL("..", import.meta.url)));
  writeMachineTexts(SITE);
});
console.log(`The site is in ${SITE}.`);
