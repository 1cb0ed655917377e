/** Writes what follows from about.ts: `node src/describe.ts`. */
import { writeFileSync } from "node:fs";
import { written } from "./written.ts";

for (const [file, text] of written()) writeFileSync(file, text);
