// Builds the site into `dist/`: pnpm docs:build. With `--if-changed` only if a file of the repository has changed since the last build.
import { fileURLToPath } from "node:url";
import { build } from "vitepress";
import { BuildRecord } from "./build-record.ts";
import { gather } from "./gather.ts";
import { writeMachineTexts } from "./machine-texts.ts";

const SITE = fileURLToPath(new URL("../dist", import.meta.url));

using record = new BuildRecord(SITE);
if (!process.argv.includes("--if-changed") || !record.isCurrent()) {
  record.clear();
  gather();
  await build(fileURLToPath(new URL("..", import.meta.url)));
  writeMachineTexts(SITE);
  record.write();
}
console.log(`The site is in ${SITE}.`);
