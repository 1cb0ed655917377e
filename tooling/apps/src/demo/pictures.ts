// Pictures of the views of the demo, for the READMEs.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { launchBrowser } from "../harness/browser.ts";
import { openView } from "../harness/open-view.ts";
import type { Demo } from "./demo-servers.ts";

/** Writes one PNG for each view into the folder: `server-view.png`, light, 800 pixels wide. */
export async function takePictures({ links }: Demo, folder: string): Promise<string[]> {
  mkdirSync(folder, { recursive: true });
  await using browser = await launchBrowser();
  const files: string[] = [];
  for (const { server, view, href } of links) {
    const file = join(folder, `${server}-${view}.png`) as `${string}.png`;
    if (files.includes(file)) continue; // a further call of the same view
    await using picture = await openView(browser, href);
    await picture.waitForState("ready");
    await picture.page.waitForNetworkIdle();
    await new Promise((resolve) => setTimeout(resolve, 1_000)); // layouts move for a moment
    const frame = await picture.page.$("#view iframe");
    await frame?.screenshot({ path: file });
    files.push(file);
  }
  return files;
}
