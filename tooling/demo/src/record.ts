// `pnpm demo:record`: runs the commands of each recording and writes its picture into docs/recordings.
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { record } from "./recording/record.ts";
import { RECORDINGS } from "./recording/recordings.ts";
import { svgOf } from "./recording/svg.ts";

const FOLDER = fileURLToPath(new URL("../../../docs/recordings/", import.meta.url));

mkdirSync(FOLDER, { recursive: true });
for (const recording of RECORDINGS) {
  const svg = svgOf(recording.title, await record(recording));
  writeFileSync(`${FOLDER}${recording.name}.svg`, svg);
  console.log(`docs/recordings/${recording.name}.svg: ${(svg.length / 1000).toFixed(1)} KB`);
}
