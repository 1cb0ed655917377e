// Host files: where each host keeps the servers that it starts, and under which key.
import { readdirSync } from "node:fs";
import { variableOf } from "@oarlock/domain-kit";
import type { Environment } from "../../process/environment.ts";
import { userFolders, type UserFolders } from "./user-folders.ts";

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
  /** The file that the host reads instead where it was installed as a package of Windows, as it is here. */
  readonly readInstead?: string;
}

export interface HostSystem {
  readonly env: Environment;
  readonly platform: NodeJS.Platform;
  /** The folder of the project. */
  readonly folder: string;
  /** The names in a folder; none where it cannot be read. */
  readonly list?: (folder: string) => readonly string[];
}

const WITH_COMMENTS: readonly string[] = ["VS Code", "VS Code Insiders", "Zed"];

/** The files of the hosts on this platform, and of the project in the working directory. They need not exist. */
export function hostFiles({ env, platform, folder, list = namesIn }: HostSystem): HostFile[] {
  const folders = userFolders(env, platform);
  const { rules, home, settings, config } = folders;
  const { join, resolve } = rules;
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
  const packaged = platform === "win32" ? packagedFolders(env, folders, list) : [];
  const packagedClaude = packaged.map((data) => join(data, "Claude", "claude_desktop_config.json"));
  const readInstead = packagedClaude[0];
  // Only on Linux Zed asks for the variable.
  const zed = platform === "darwin" ? join(home, ".config", "zed") : join(config, platform === "win32" ? "Zed" : "zed");
  return [
    ...packagedClaude.map((path) => user("Claude Desktop", path)),
    {
      ...user("Claude Desktop", join(settings, "Claude", "claude_desktop_config.json")),
      ...(readInstead !== undefined && { readInstead }),
    },
    user("Claude Code", join(env.CLAUDE_CONFIG_DIR ?? home, ".claude.json")),
    project("Claude Code", ".mcp.json"),
    user("VS Code", join(settings, "Code", "User", "mcp.json"), "servers"),
    user("VS Code Insiders", join(settings, "Code - Insiders", "User", "mcp.json"), "servers"),
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
    user("Devin Desktop", join(config, "devin", "mcp_config.json")), // the name of Windsurf since June 2026
    project("Devin Desktop", ".devin/mcp_config.json"),
  ].filter((file, index, all) => all.findIndex(({ path }) => path === file.path) === index);
}

/**
 * What Claude Desktop, installed as a package, sees as its folder of settings: Windows redirects what a package writes there.
 * https://learn.microsoft.com/windows/msix/desktop/desktop-to-uwp-behind-the-scenes
 */
function packagedFolders(env: Environment, { rules, home }: UserFolders, list: NonNullable<HostSystem["list"]>): string[] {
  const local = variableOf("LOCALAPPDATA", { platform: "win32", env }) ?? rules.join(home, "AppData", "Local");
  const packages = rules.join(local, "Packages");
  const names = list(packages).filter((name) => /^Claude_/i.test(name)); // the rest of the name is the publisher's
  return names.toSorted().map((name) => rules.join(packages, name, "LocalCache", "Roaming"));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
