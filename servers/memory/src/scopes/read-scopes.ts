// Calls of tools on several scopes: one that is written, and further ones that are only read.
import { EncodedJson, text, ToolError, type InteractiveContext, type ToolDefinition } from "@oarlock/server-kit";
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
  pool.use(scope, ctx.auth?.principal, async ({ tools }) => {
    const tool = tools[at];
    if (tool === undefined) throw new RangeError(`Scope ${scope} has no tool ${at}.`);
    return await tool.call(args, ctx);
  });

/** Reads in all scopes. What comes from one that is only read is marked. */
export async function readAll(call: ScopedCall): Promise<CallToolResult> {
  const [own, ...others] = await Promise.allSettled([call.scope, ...othersOf(call)].map((scope) => callIn(scope, call)));
  const found = others.flatMap((outcome, index): ScopedResult[] => {
    if (outcome.status === "rejected" || outcome.value.isError === true || isEmpty(outcome.value)) return [];
    return [{ scope: othersOf(call)[index] ?? "", result: outcome.value }];
  });
  const [first, ...rest] = found;
  // A cursor, or the name of an entity, may belong to another scope.
  if (own?.status === "fulfilled" && own.value.isError !== true) return first === undefined ? own.value : joined(own.value, found);
  if (first !== undefined) return joined({ ...first.result, content: marked(first) }, rest);
  if (own?.status === "rejected") throw own.reason;
  return await callIn(call.scope, call);
}

const othersOf = ({ scope, readScopes }: ScopedCall): string[] => readScopes.filter((one) => one !== scope);

function structuredOf({ structuredContent: given }: CallToolResult): Json {
  const value: unknown = given instanceof EncodedJson ? given.toJSON() : given;
  return isObject(value) ? value : {};
}

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
  try {
    return await callIn(call.scope, call);
  } catch (error) {
    const others = othersOf(call).map((scope) => `"${scope}"`);
    const isForModel = error instanceof Error && "expose" in error && error.expose === true;
    if (!isForModel || others.length === 0) throw error;
    throw new ToolError(`${error.message} Memories that can only be read, and are not changed: ${others.join(", ")}.`);
  }
}

export const isReading = ({ hints }: ToolDefinition): boolean => hints.readOnly === true;
