// Every tool that takes SQL (rule G9: the same guard on each). Tools that are added later are found by their arguments.
import { isObject, type Json } from "@oarlock/server-kit/protocol";
import type { Said, Siege } from "./stress.ts";

export interface Entrance {
  readonly name: string;
  /** It is there to read only. */
  readonly reads: boolean;
  enter(siege: Siege, sql: string): Promise<Said>;
}

interface Listed {
  readonly name: string;
  readonly inputSchema: { readonly properties?: Record<string, Json> };
  readonly annotations?: { readonly readOnlyHint?: boolean };
}

/** The ways in: each tool with a `query` or `statements`, and once more as a dry run where it has one. */
export async function entrancesOf(siege: Siege): Promise<Entrance[]> {
  const { result } = await siege.ask("tools/list", {});
  const tools = isObject(result) ? (result["tools"] as unknown as Listed[]) : [];
  return tools.flatMap(({ name, inputSchema: { properties = {} }, annotations }) => {
    const argument = ["query", "statements"].find((one) => one in properties);
    if (argument === undefined || name === "search_text") return [];
    const args = (sql: string): Json => (argument === "query" ? { query: sql } : { statements: [{ query: sql }] });
    const needed = "path" in properties ? { path: siege.at("export.csv") } : {};
    const reads = annotations?.readOnlyHint === true || name === "export_query";
    const plain: Entrance = { name, reads, enter: (to, sql) => to.says(name, { ...args(sql), ...needed }) };
    if (!("dry_run" in properties)) return [plain];
    return [plain, { name: `${name} dry_run`, reads, enter: (to, sql) => to.says(name, { ...args(sql), dry_run: true }) }];
  });
}

export interface Outcome extends Said {
  readonly entrance: string;
}

/** Sends a statement through every entrance that fits. */
export async function enterAll(siege: Siege, sql: string, fits: (entrance: Entrance) => boolean = () => true): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const entrance of (await entrancesOf(siege)).filter(fits))
    outcomes.push({ entrance: entrance.name, ...(await entrance.enter(siege, sql)) });
  return outcomes;
}
