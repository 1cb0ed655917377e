// The clients that the trial leaves out, with the reasons.

export const UNTRIED: readonly { readonly client: string; readonly why: string }[] = [
  {
    client: "fastmcp (`fastmcp` on npm, 4.20.16)",
    why: "A framework for servers, without a client. It starts servers by way of `mcp-proxy`, which is in the table. The Python package of the same name has a client, but is not on npm, and everything here comes from there.",
  },
  {
    client: "mcp-use 2 (`mcp-use` 2.5.2)",
    why: "It is a framework for servers. Its client is a package of its own, `@mcp-use/client`, which could not be installed at the time of the run.",
  },
  {
    client: "Codex (`@openai/codex` 0.169.0)",
    why: "`codex mcp list` shows the configured entry and no tools; a session needs an account. It weighs 400 MB. The servers print [its entry](../README.md#quick-start-use-a-server).",
  },
  {
    client: "Claude, VS Code, Cursor, Zed",
    why: "They need an account, and most of them are applications with windows. The servers print [an entry for each](../README.md#quick-start-use-a-server).",
  },
];
