// Opens a page in the user's browser.
import { spawn } from "node:child_process";
import { windowsProgram, type Variables } from "@oarlock/domain-kit";
import { platform } from "../platform.ts";
import { AuthorizationError } from "./oauth-error.ts";

/** The program that opens a page, without a shell, which would interpret characters of the URL. */
export function browserCommand(url: URL, system: NodeJS.Platform, env: Variables): [file: string, ...args: string[]] {
  switch (system) {
    case "darwin":
      return ["open", url.href];
    case "win32":
      return [windowsProgram("rundll32.exe", env), "url.dll,FileProtocolHandler", url.href];
    default:
      return ["xdg-open", url.href];
  }
}

export async function openBrowser(url: URL): Promise<void> {
  const [file, ...args] = browserCommand(url, platform, process.env);
  // Not with windowsHide, which the browser would follow, too.
  const child = spawn(file, args, { stdio: "ignore", detached: true });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", () =>
      reject(new AuthorizationError("No browser can be opened here. Pass openBrowser to show the address yourself.")),
    );
  });
  child.unref();
}
