/** Tests how a page is opened in the browser of each operating system. */
import { expect, test } from "vitest";
import { browserCommand } from "../../src/oauth/browser.ts";

test.each([
  ["linux", ["xdg-open"]],
  ["freebsd", ["xdg-open"]],
  ["darwin", ["open"]],
  ["win32", [String.raw`D:\Windows\System32\rundll32.exe`, "url.dll,FileProtocolHandler"]],
] as const)("opens a page on %s by a program, without a shell", (platform, command) => {
  const url = new URL("https://id.example/authorize?a=1&b=%25TEMP%25");
  expect(browserCommand(url, platform, { SYSTEMROOT: String.raw`D:\Windows` })).toEqual([...command, url.href]);
});
