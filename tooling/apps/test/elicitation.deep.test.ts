// The dialog in which the host page shows an elicitation.
import { expect, test, vi } from "vitest";
import { launchBrowser, SLOW } from "../src/harness/browser.ts";
import { openView } from "../src/harness/open-view.ts";
import { startWebServer } from "../src/web-server.ts";
import { startAskingServer } from "./support/asking-server.ts";

vi.setConfig(SLOW);

test("cancels an elicitation by the Escape key", async () => {
  await using web = await startWebServer();
  await using asking = await startAskingServer(web.origin);
  await using browser = await launchBrowser();
  const args = { edits: ["two"], dryRun: true };
  await using view = await openView(browser, web.link({ endpoint: asking.url.href, tool: "edit_file", args }, {}));
  await view.click("Apply");
  await view.page.waitForSelector("dialog[open]");
  await view.page.keyboard.press("Escape");
  await view.waitForText("The edit was declined; the file is unchanged.");
  expect(asking.edits()).toBe(0);
});
