/** Writes what follows from about.ts: `node src/describe.ts [--built]`; `--built` asks the built servers too. */
import { writeFileSync } from "node:fs";
import { written, writtenFromBuilt } from "./written.ts";

const files = [...written(), ...(process.argv.includes("--built") ? await writtenFromBuilt() : [])];
for (const [file, text] of files) writeFileSync(file, text);
