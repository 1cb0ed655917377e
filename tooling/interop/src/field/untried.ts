// The clients that the trial leaves out, with the reasons.

export const UNTRIED: readonly { readonly client: string; readonly why: string }[] = [
  {
    client: "fastmcp (`fastmcp` on npm, 4.20.16)",
    why: "A framework for servers, without a client. It starts servers by way of `mcp-proxy`, which is in the table. The Python package of the same name has a client, but is not on npm, and everything here comes from there.",
  },
  {
    client: "Codex (`@openai/codex` 0.169.0)",
    why: "`codex mcp list` shows the configuration and connects to nothing; a session needs an account. It weighs 400 MB. The servers print [its entry](../README.md#quick-start-use-a-server).",
  },
  {
    client: "Claude, VS Code, Cursor, Zed",
    why: "They need an account, and most of them are applications with windows. The servers print [an entry for each](../README.md#quick-start-use-a-server).",
  },
];
