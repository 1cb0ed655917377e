// Calls of tools on several scopes: one that is written, and further ones that are only read.
import { text, type InteractiveContext, type ToolDefinition } from "@oarlock/server-kit";
import { isObject, type CallToolResult, type Json } from "@oarlock/server-kit/protocol";
import type { ScopePool } from "./scope-pool.ts";

export interface ScopedCall {
  readonly pool: ScopePool;
  /** Position in the list of tools, which is the same in each scope. */
  readonly at: number;
  readonly scope: string;
  readonly readScopes: readonly string[];
  readonly args: Json;
  readonly ctx: InteractiveContext;
}

interface ScopedResult {
  readonly scope: string;
  readonly result: CallToolResult;
}

const callIn = (scope: string, { pool, at, args, ctx }: ScopedCall): Promise<CallToolResult> =>
  pool.use(scope, async ({ tools }) => {
    const tool = tools[at];
    if (tool === undefined) throw new RangeError(`Scope ${scope} has no tool ${at}.`);
    return await tool.call(args, ctx);
  });

/** Reads in all scopes. What comes from one that is only read is marked. */
export async function readAll(call: ScopedCall): Promise<CallToolResult> {
  const own = await callIn(call.scope, call);
  const others: ScopedResult[] = [];
  for (const scope of call.readScopes) {
    if (scope === call.scope) continue;
    const result = await callIn(scope, call);
    if (result.isError !== true && !isEmpty(result)) others.push({ scope, result });
  }
  const [first, ...rest] = others;
  if (first === undefined) return own;
  // A cursor, or the name of an entity, may belong to another scope.
  if (own.isError === true) return joined({ ...first.result, content: marked(first) }, rest);
  return joined(own, others);
}

const structuredOf = ({ structuredContent }: CallToolResult): Json => (isObject(structuredContent) ? structuredContent : {});

function joined(result: CallToolResult, others: readonly ScopedResult[]): CallToolResult {
  const { content, structuredContent } = result;
  return {
    ...result,
    content: [...content, ...others.flatMap(marked)],
    ...(structuredContent !== undefined && {
      structuredContent: { ...structuredOf(result), readScopes: others.map(({ scope, result }) => ({ ...structuredOf(result), scope })) },
    }),
  };
}

const marked = ({ scope, result }: ScopedResult): CallToolResult["content"] => [
  text(`From the memory "${scope}", which can only be read:`),
  ...result.content,
];

/** Whether a result has lists, and all of them are empty. */
function isEmpty(result: CallToolResult): boolean {
  const lists = Object.values(structuredOf(result)).filter((value) => Array.isArray(value));
  return lists.length > 0 && lists.every((list) => list.length === 0);
}

/** Changes the written scope. An error names the others, as what was to be changed may be there. */
export async function change(call: ScopedCall): Promise<CallToolResult> {
  const result = await callIn(call.scope, call);
  const others = call.readScopes.filter((scope) => scope !== call.scope);
  if (result.isError !== true || others.length === 0) return result;
  const names = others.map((scope) => `"${scope}"`).join(", ");
  return { ...result, content: [...result.content, text(`Memories that can only be read, and are not changed: ${names}.`)] };
}

export const isReading = ({ hints }: ToolDefinition): boolean => hints.readOnly === true;
