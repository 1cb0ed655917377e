// What the tools reply, in one form: entities, relations, and sentences about what is missing.
import { clipped, counted, structuredOf, textOf, type ToolResult } from "@oarlock/extensions/page";
import type { Relation, ReplyEntity } from "./graph.ts";

/** The members of the replies of all tools that have this view. */
interface Reply {
  entities?: ReplyEntity[];
  nodes?: ReplyEntity[];
  relations?: Relation[];
  edges?: Relation[];
  path?: string[];
  total?: { entities?: number; relations?: number };
  truncated?: boolean;
  nextCursor?: string;
  notFound?: string[];
  renamed?: { former: string; present: string }[];
  omitted?: string[];
  omittedNear?: number;
  omittedRelations?: number;
}

export interface GraphReply {
  readonly entities: readonly ReplyEntity[];
  readonly relations: readonly Relation[];
  /** The names on a path; undefined where none was looked for. */
  readonly path: readonly string[] | undefined;
  /** How many entities and relations the whole graph has. */
  readonly total: { readonly entities?: number; readonly relations?: number };
  readonly nextCursor: string | undefined;
  /** Relations may be missing among the entities. */
  readonly isPart: boolean;
  readonly notes: readonly string[];
}

export function readReply(result: ToolResult): GraphReply {
  const structured: Reply = structuredOf(result);
  const reply: Reply = isReply(structured) ? structured : { ...jsonOf(result), ...structured }; // lean replies have the graph as text only
  return {
    entities: reply.entities ?? reply.nodes ?? [],
    relations: reply.relations ?? reply.edges ?? [],
    path: reply.path,
    total: reply.total ?? {},
    nextCursor: reply.nextCursor,
    isPart: reply.truncated === true,
    notes: result.structuredContent === undefined ? proseOf(result) : notesOf(reply),
  };
}

const texts = ({ content = [] }: ToolResult): string[] => content.flatMap((block) => textOf({ content: [block] }));

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isReply = (value: unknown): boolean =>
  typeof value === "object" && value !== null && ["entities", "nodes"].some((member) => member in value);

const jsonOf = (result: ToolResult): Reply => texts(result).map(parse).find(isReply) ?? {};

const proseOf = (result: ToolResult): string[] => texts(result).filter((text) => text !== "" && !isReply(parse(text)));

const listed = (names: readonly string[]): string =>
  names
    .slice(0, 10)
    .map((name) => clipped(name, 60))
    .join(", ") + (names.length > 10 ? ` and ${names.length - 10} more` : "");

function notesOf({ notFound = [], renamed = [], omitted = [], omittedNear = 0, omittedRelations = 0, ...reply }: Reply): string[] {
  const { nodes, path, truncated } = reply;
  const notes: string[] = [];
  if (notFound.length > 0) notes.push(`Not found: ${listed(notFound)}.`);
  for (const { former, present } of renamed.slice(0, 10)) notes.push(`${clipped(former, 60)} is now ${clipped(present, 60)}.`);
  if (omitted.length > 0) notes.push(`Left out, because the reply is full: ${listed(omitted)}.`);
  const near = [
    ...(omittedNear > 0 ? [counted(omittedNear, "entity", "entities")] : []),
    ...(omittedRelations > 0 ? [counted(omittedRelations, "relation")] : []),
  ];
  if (near.length > 0) notes.push(`Left out: ${near.join(" and ")} around these entities.`);
  if (nodes !== undefined && path === undefined && truncated === true)
    notes.push("The graph goes on: the limit of the reply was reached before all entities were found.");
  if (path !== undefined && path.length > 0) notes.push(`Path: ${path.map((name) => clipped(name, 60)).join(" → ")}`);
  return notes;
}
