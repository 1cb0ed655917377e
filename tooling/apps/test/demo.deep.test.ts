// The page of `pnpm demo:apps`: a list of links, each of which shows a view of a server on demo data.
import { tempFolder } from "@oarlock/testing";
import { expect, test, vi } from "vitest";
import { startDemo } from "../src/demo/demo-servers.ts";
import { launchBrowser, SLOW } from "../src/harness/browser.ts";
import { openView } from "../src/harness/open-view.ts";

vi.setConfig(SLOW);

test("shows a view for each link of the page", async () => {
  await using folder = tempFolder();
  await using demo = await startDemo(folder.path);
  await using browser = await launchBrowser();
  const page = await browser.newPage();
  await page.goto(demo.origin);
  const hrefs = (await page.evaluate("[...document.querySelectorAll('a')].map((link) => link.href)")) as string[];
  expect(hrefs).toHaveLength(3 * demo.links.length);
  for (const href of hrefs.filter((href) => href.includes("theme=dark"))) {
    await using view = await openView(browser, href);
    await view.waitForState("ready");
    expect(await view.problems(), href).toEqual([]);
  }
});
