// User folders: the home folder of the user, and where desktop programs keep their settings.
import { homedir } from "node:os";
import { posix, win32, type PlatformPath } from "node:path";
import { variableOf } from "@oarlock/domain-kit";
import type { Environment } from "../../process/environment.ts";

export interface UserFolders {
  readonly rules: PlatformPath;
  readonly home: string;
  /** Settings of desktop programs. */
  readonly settings: string;
  /** Settings of command-line programs. */
  readonly config: string;
}

/** Where hosts look: on Windows `HOME` means something to some shells only. */
export const homeOf = (env: Environment, platform: NodeJS.Platform): string =>
  variableOf(platform === "win32" ? "USERPROFILE" : "HOME", { platform, env }) ?? homedir();

export function userFolders(env: Environment, platform: NodeJS.Platform): UserFolders {
  const rules = platform === "win32" ? win32 : posix;
  const home = homeOf(env, platform);
  const roaming = variableOf("APPDATA", { platform, env }) ?? rules.join(home, "AppData", "Roaming");
  if (platform === "win32") return { rules, home, settings: roaming, config: roaming };
  const config = env.XDG_CONFIG_HOME ?? rules.join(home, ".config");
  if (platform === "darwin") return { rules, home, settings: rules.join(home, "Library", "Application Support"), config };
  return { rules, home, settings: config, config };
}
