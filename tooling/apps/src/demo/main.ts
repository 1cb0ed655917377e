/** `pnpm demo:apps`: the four servers over HTTP on demo data, and a page that shows their views. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startDemo } from "./demo-servers.ts";

const { values } = parseArgs({ options: { port: { type: "string", default: "0" } } });
const folder = mkdtempSync(join(tmpdir(), "oarlock-apps-"));
mkdirSync(folder, { recursive: true });

const demo = await startDemo(folder, Number(values.port));
console.log(`Views: ${demo.origin}/`);
for (const { title, href } of demo.links) console.log(`  ${title}: ${href}`);
console.log("Press Ctrl+C to end.");

const stop = async (): Promise<void> => {
  await demo[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
};
process.once("SIGINT", () => void stop());
process.once("SIGTERM", () => void stop());
