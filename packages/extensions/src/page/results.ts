/** Results of tools, as views read them. */
import type { Host, ToolResult } from "../view.ts";

/** The text blocks of a result, one after another. */
export const textOf = ({ content = [] }: ToolResult): string => content.flatMap(({ text }) => text ?? []).join("\n");

/** The structured content; `{}` where a host leaves it out. */
export const structuredOf = ({ structuredContent }: ToolResult): Record<string, unknown> => structuredContent ?? {};

/** Calls a tool of the server. Rejects with the text of the result when the tool failed. */
export async function callTool(host: Host, name: string, args: Record<string, unknown>): Promise<ToolResult> {
  const result = await host.callTool(name, args);
  if (result.isError === true) throw new Error(textOf(result) || `${name} failed.`);
  return result;
}

/** Names what is missing where the host lets views call no tools; empty elsewhere. */
export const missingWithoutTools = ({ canCallTools }: { readonly canCallTools: boolean }, what: string): string =>
  canCallTools ? "" : `${what} are missing: this host does not let the page ask for them.`;
