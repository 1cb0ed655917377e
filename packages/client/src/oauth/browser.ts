// Opens a page in the user's browser.
import { spawn } from "node:child_process";
import { AuthorizationError } from "./oauth-error.ts";

/** Without a shell, which would interpret characters of the URL. */
const COMMANDS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

export async function openBrowser(url: URL): Promise<void> {
  const [command, ...args] = COMMANDS[process.platform] ?? ["xdg-open"];
  const child = spawn(command, [...args, url.href], { stdio: "ignore", detached: true });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", () =>
      reject(new AuthorizationError("No browser can be opened here. Pass openBrowser to show the address yourself.")),
    );
  });
  child.unref();
}
