// The switch --fence: what tools read stands between marks that the content cannot forge, as text of others may pose as instructions.
import { randomBytes } from "node:crypto";
import type { Middleware, Server } from "@oarlock/server-kit";

/** Of a mark, new for each reply: whoever wrote the content cannot have known it. */
const RANDOM_BYTES = 6;
/** For the marks of twenty blocks. */
const MARKS_BYTES = 1024;

interface Block {
  readonly type: string;
  readonly text?: unknown;
}

/** Options with room for the marks in the largest reply. */
export const withRoom = <O extends { readonly maxResultBytes: number }>(options: O): O => ({
  ...options,
  maxResultBytes: Math.max(options.maxResultBytes - MARKS_BYTES, Math.ceil(options.maxResultBytes / 2)),
});

/** Fences the texts of tools that only read. What a change reports is the server's own. */
export const fencedReplies = (tools: Server["tools"]): Middleware => ({
  async call({ method, params }, next) {
    const result: { content?: unknown; isError?: unknown } = await next();
    const isReading = method === "tools/call" && tools.get(String(params["name"]))?.hints.readOnly === true;
    if (!isReading || !Array.isArray(result.content)) return result;
    const name = `untrusted-${randomBytes(RANDOM_BYTES).toString("hex")}`;
    const blocks = result.content as readonly Block[]; // of a tool's result
    const content = blocks.map((block) =>
      block.type === "text" ? { ...block, text: `<${name}>\n${String(block.text)}\n</${name}>` } : block,
    );
    return { ...result, content };
  },
});
