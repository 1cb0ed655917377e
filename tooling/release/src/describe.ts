/** Writes what follows from about.ts: `node src/describe.ts [--built]`; `--built` asks the built servers too. */
import { writeFileSync } from "node:fs";
import { written, writtenFromBuilt } from "./generated-files.ts";

for (const [file, text] of await written()) writeFileSync(file, text);
// After the others: a README gets its parts one by one.
if (process.argv.includes("--built")) for (const [file, text] of await writtenFromBuilt()) writeFileSync(file, text);
