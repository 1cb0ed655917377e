/**
 * `pnpm demo:apps`: the four servers over HTTP on demo data, and a page that shows their views. With `--pictures FOLDER` it writes a picture
 * of each view and ends.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startDemo } from "./demo-servers.ts";
import { takePictures } from "./pictures.ts";

const { values } = parseArgs({ options: { port: { type: "string", default: "0" }, pictures: { type: "string" } } });
const folder = mkdtempSync(join(tmpdir(), "oarlock-apps-"));

const demo = await startDemo(folder, Number(values.port));
const stop = async (): Promise<void> => {
  await demo[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
};
process.once("SIGINT", () => void stop());
process.once("SIGTERM", () => void stop());

if (values.pictures === undefined) {
  console.log(`Views: ${demo.origin}/`);
  for (const { title, href } of demo.links) console.log(`  ${title}: ${href}`);
  console.log("Press Ctrl+C to end.");
} else {
  for (const file of await takePictures(demo, values.pictures)) console.log(file);
  await stop();
}
