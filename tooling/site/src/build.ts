// Builds the site into `dist/`: pnpm docs:build
import { fileURLToPath } from "node:url";
import { build } from "vitepress";
import { gather } from "./gather.ts";
import { writeMachineTexts } from "./machine-texts.ts";

const SITE = fileURLToPath(new URL("../dist", import.meta.url));

gather();
await build(fileURLToPath(new URL("..", import.meta.url)));
writeMachineTexts(SITE);
console.log(`The site is in ${SITE}.`);
