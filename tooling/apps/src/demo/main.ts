/**
 * `pnpm demo:apps`: the four servers over HTTP on demo data, and a page that shows their views. With `--pictures FOLDER` it writes a picture
 * of each view and ends.
 */
import { parseArgs } from "node:util";
import { tempFolder } from "@oarlock/testing";
import { startDemo } from "./demo-servers.ts";
import { takePictures } from "./pictures.ts";

const { values } = parseArgs({ options: { port: { type: "string", default: "0" }, pictures: { type: "string" } } });
const folder = tempFolder(); // removed when the process exits

const demo = await startDemo(folder.path, Number(values.port));
const stop = async (): Promise<void> => {
  await demo[Symbol.asyncDispose]();
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
