/** `pnpm bench:docs`: writes docs/performance.md, its charts and the README's ratios from docs/performance.json. */
import { readFileSync, writeFileSync } from "node:fs";
import { storedResult, written } from "./docs/generated-files.ts";
import { inRepository } from "./paths.ts";

const result = storedResult();
if (result === undefined) throw new Error("Missing docs/performance.json: run pnpm bench:report --store docs/performance.json first.");
for (const [file, text] of written(result, readFileSync(inRepository("README.md"), "utf8"))) writeFileSync(inRepository(file), text);
