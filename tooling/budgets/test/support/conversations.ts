/** Messages whose way is counted, with their answers. */

type Message = Readonly<Record<string, unknown>>;

export interface Conversation {
  message: Message;
  /** So many in one chunk. */
  times: number;
  answer: Message;
}

export const HANDSHAKE: readonly Message[] = [
  {
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "budgets", version: "0" } },
  },
  { jsonrpc: "2.0", method: "notifications/initialized" },
];

const TEXT = "x".repeat(64);
const echo = { name: "echo", arguments: { message: TEXT } };
const echoed = { jsonrpc: "2.0", id: 1, result: { content: [{ type: "text", text: TEXT }] } };
const KEY = "io.modelcontextprotocol/";
const envelope = { [`${KEY}protocolVersion`]: "2026-07-28", [`${KEY}clientCapabilities`]: {} };
const request = (method: string, params?: object): Message => ({ jsonrpc: "2.0", id: 1, method, ...(params !== undefined && { params }) });
const call = request("tools/call", echo);
const empty = { jsonrpc: "2.0", id: 1, result: {} };

/** What the answer must hold. */
export const textOf = ({ result }: Message): string => JSON.stringify(result).slice(1, -1);

export const CONVERSATIONS = {
  ping: { message: request("ping"), times: 1, answer: empty },
  echo: { message: call, times: 1, answer: echoed },
  "echo, 16 in a chunk": { message: call, times: 16, answer: echoed },
  "echo without a session": { message: request("tools/call", { ...echo, _meta: envelope }), times: 1, answer: echoed },
  "tools/list": { message: request("tools/list"), times: 1, answer: empty },
} as const satisfies Record<string, Conversation>;
