// Known hosts: which clients read the hints, by the name and version that they give themselves.
import type { Client } from "@oarlock/server-kit";

/** Claude Code and what is built on it. https://code.claude.com/docs/en/mcp */
const CLAUDE_CODE = "claude-code";

/** From this version on each call of a tool with `anthropic/requiresUserInteraction` is shown to the user first. */
const ASKS_SINCE = [2, 1, 199] as const;

/** The most characters of a result that Claude Code shows to the model, whatever a hint says. */
export const MAX_RESULT_CHARS = 500_000;

/** Whether the host of this client reads hints. Others would pay for bytes that they ignore. */
export const readsHints = ({ name }: Client): boolean => name === CLAUDE_CODE;

/** Whether its host asks the user before a call that a hint marks, and the server cannot: consent by the host's own prompt. */
export const asksInPlaceOfServer = (client: Client): boolean =>
  readsHints(client) && !client.can("elicit") && isAtLeast(client.version ?? "", ASKS_SINCE);

/** False for a version without three numbers, and for a pre-release of the first version that counts. */
function isAtLeast(version: string, since: readonly number[]): boolean {
  const [, numbers, rest = ""] = /^(\d{1,9}\.\d{1,9}\.\d{1,9})(?![\d.])(.*)$/s.exec(version) ?? [];
  if (numbers === undefined) return false;
  const parts = numbers.split(".").map(Number);
  const at = parts.findIndex((part, index) => part !== since[index]);
  return at === -1 ? !rest.startsWith("-") : (parts[at] ?? 0) > (since[at] ?? 0);
}
