// Where the command keeps tokens, and how it logs in.
import { homedir } from "node:os";
import { join } from "node:path";
import { openBrowser } from "../oauth/browser.ts";
import { authorizeUser, AuthorizationError, fileStore, type OAuthAuthorization } from "../oauth.ts";

/** `OARLOCK_CREDENTIALS`, or a file in the user's folder for settings. */
export function credentialsFile(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  const own = env["OARLOCK_CREDENTIALS"];
  if (own !== undefined && own !== "") return own;
  const settings = platform === "win32" ? env["APPDATA"] : env["XDG_CONFIG_HOME"];
  return join(settings !== undefined && settings !== "" ? settings : join(homedir(), ".config"), "oarlock", "credentials.json");
}

/** Logs in: the address is printed, and opened where there is a terminal. */
export const authorizationForLogin = (
  path: string,
  { isTerminal, writeStderr }: { isTerminal: boolean; writeStderr(line: string): void },
): OAuthAuthorization =>
  authorizeUser({
    store: fileStore(path),
    async openBrowser(url) {
      writeStderr(`Open this address in a browser to log in:\n${url.href}`);
      // Without a browser the user opens it elsewhere.
      if (isTerminal) await openBrowser(url).catch(() => undefined);
    },
  });

/** Uses stored tokens and refreshes them. A login is prepared, but its page is not opened. */
export const authorizationForCalls = (path: string, target: string): OAuthAuthorization =>
  authorizeUser({
    store: fileStore(path),
    openBrowser() {
      throw new AuthorizationError(`Login needed. Run: npx @oarlock/client ${target} login`);
    },
  });
