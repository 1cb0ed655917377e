// Host files: where each host keeps the servers that it starts, and under which key.
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Environment } from "../../process/environment.ts";

export interface HostFile {
  readonly host: string;
  readonly path: string;
  readonly format: "json" | "toml";
  /** The member that holds the servers. */
  readonly key: string;
  /** A file of the project folder: it came with the project, so its commands are not run. */
  readonly isOfProject: boolean;
  /** The host reads comments and trailing commas. */
  readonly acceptsComments: boolean;
}

const WITH_COMMENTS: readonly string[] = ["VS Code", "Zed"];

/** The files of the hosts on this platform, and of the project in the working directory. They need not exist. */
export function hostFiles(env: Environment, platform: NodeJS.Platform = process.platform, folder: string = process.cwd()): HostFile[] {
  const home = env.HOME ?? env.USERPROFILE ?? homedir();
  const settings = settingsFolder(env, platform, home);
  const user = (host: string, path: string, key = "mcpServers"): HostFile => ({
    host,
    path,
    key,
    format: path.endsWith(".toml") ? "toml" : "json",
    isOfProject: false,
    acceptsComments: WITH_COMMENTS.includes(host),
  });
  const project = (host: string, path: string, key = "mcpServers"): HostFile => ({
    ...user(host, resolve(folder, path), key),
    isOfProject: true,
  });
  const zed = platform === "win32" ? join(settings, "Zed") : join(env.XDG_CONFIG_HOME ?? join(home, ".config"), "zed");
  return [
    user("Claude Desktop", join(settings, "Claude", "claude_desktop_config.json")),
    user("Claude Code", join(home, ".claude.json")),
    project("Claude Code", ".mcp.json"),
    user("VS Code", join(settings, "Code", "User", "mcp.json"), "servers"),
    project("VS Code", ".vscode/mcp.json", "servers"),
    user("Cursor", join(home, ".cursor", "mcp.json")),
    project("Cursor", ".cursor/mcp.json"),
    user("Codex", join(env.CODEX_HOME ?? join(home, ".codex"), "config.toml"), "mcp_servers"),
    project("Codex", ".codex/config.toml", "mcp_servers"),
    user("Gemini CLI", join(home, ".gemini", "settings.json")),
    project("Gemini CLI", ".gemini/settings.json"),
    user("Zed", join(zed, "settings.json"), "context_servers"),
    project("Zed", ".zed/settings.json", "context_servers"),
    user("Windsurf", join(home, ".codeium", "windsurf", "mcp_config.json")),
  ].filter((file, index, all) => all.findIndex(({ path }) => path === file.path) === index);
}

/** Where desktop programs keep the settings of a user. */
function settingsFolder(env: Environment, platform: NodeJS.Platform, home: string): string {
  if (platform === "win32") return env.APPDATA ?? join(home, "AppData", "Roaming");
  if (platform === "darwin") return join(home, "Library", "Application Support");
  return env.XDG_CONFIG_HOME ?? join(home, ".config");
}
