// The tools that take SQL (rule G9: each has the same guard). They are found by their arguments, new ones too. An argument with another name is entered in
// three places of `entryPointsOf`: its name in `argument`, its form in `args`, and what its tool requires besides in `needed`.
import { isObject, type Json } from "@oarlock/server-kit/protocol";
import type { ToolReply } from "@oarlock/testing";
import type { Fortress } from "./fortress.ts";

/** A server in this process or in its own. */
export type AttackedServer = Pick<Fortress, "request" | "reply" | "at">;

export interface EntryPoint {
  readonly name: string;
  /** Whether the tool only reads. */
  readonly reads: boolean;
  call(server: AttackedServer, sql: string): Promise<ToolReply>;
}

interface Listed {
  readonly name: string;
  readonly inputSchema: { readonly properties?: Record<string, Json> };
  readonly annotations?: { readonly readOnlyHint?: boolean };
}

/** Each tool with the argument `query` or `statements`; tools with `dry_run` appear a second time as a dry run. */
export async function entryPointsOf(server: AttackedServer): Promise<EntryPoint[]> {
  const { result } = await server.request("tools/list", {});
  const tools = isObject(result) ? (result["tools"] as unknown as Listed[]) : [];
  return tools.flatMap(({ name, inputSchema: { properties = {} }, annotations }) => {
    const argument = ["query", "statements"].find((one) => one in properties);
    if (argument === undefined || name === "search_text") return [];
    const args = (sql: string): Json => (argument === "query" ? { query: sql } : { statements: [{ query: sql }] });
    const needed = "path" in properties ? { path: server.at("export.csv") } : {};
    const reads = annotations?.readOnlyHint === true || name === "export_query";
    const plain: EntryPoint = { name, reads, call: (run, sql) => run.reply(name, { ...args(sql), ...needed }) };
    if (!("dry_run" in properties)) return [plain];
    return [plain, { name: `${name} dry_run`, reads, call: (run, sql) => run.reply(name, { ...args(sql), dry_run: true }) }];
  });
}

export interface Outcome extends ToolReply {
  readonly entryPoint: string;
}

/** Calls each entry point with one statement. */
export async function tryAll(server: AttackedServer, entryPoints: readonly EntryPoint[], sql: string): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const entryPoint of entryPoints) outcomes.push({ entryPoint: entryPoint.name, ...(await entryPoint.call(server, sql)) });
  return outcomes;
}
