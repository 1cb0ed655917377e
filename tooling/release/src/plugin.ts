/** The plugin of a server for Claude Code, whose folder is that of the package, with its skills. https://code.claude.com/docs/en/plugins-reference */
import { packageOf, REPOSITORY, SERVERS, type About } from "./about.ts";

const pluginOf = ({ name }: About): string => `oarlock-${name}`;

export function pluginJson(about: About, version: string): object {
  const { summary: description, keywords } = about;
  const homepage = `${REPOSITORY}/tree/main/servers/${about.name}#readme`;
  return { name: pluginOf(about), version, description, author: { name: "Oarlock", url: REPOSITORY }, homepage, license: "MIT", keywords };
}

/** The server without paths finds its own: git and filesystem by the folder and the roots of the session, memory by the folder of the user. */
export const pluginServers = (about: About): object => ({
  mcpServers: {
    [about.name]: { command: "npx", args: ["-y", packageOf(about), ...(about.name === "sqlite" ? ["${OARLOCK_DATABASE}"] : [])] },
  },
});

/** Hooks of memory, as `oarlock-memory hooks install claude-code` writes them. */
export function pluginHooks(about: About): object {
  const command = `npx -y ${packageOf(about)} hooks run claude-code`;
  const item = { hooks: [{ type: "command", command, timeout: 20 }] };
  return { hooks: Object.fromEntries(["SessionStart", "PreCompact", "SessionEnd"].map((event) => [event, [item]])) };
}

/** The list of the plugins in this repository, for `/plugin marketplace add`. */
export const marketplace = (): object => ({
  name: "oarlock",
  description: "MCP servers for files, Git, SQLite and memory, with a skill each",
  owner: { name: "Oarlock", url: REPOSITORY },
  plugins: SERVERS.map((about) => ({ name: pluginOf(about), source: `./servers/${about.name}`, description: about.summary })),
});
