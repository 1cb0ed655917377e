// The whole graph in pages: entities in the order of their creation, then relations.
import { toRelation } from "../rows/relations.ts";
import type { Relation } from "../model.ts";
import type { Rows, Totals } from "../rows/rows.ts";
import { openCursor, sealCursor } from "./cursors.ts";
import { bytesOfRelation } from "./json-size.ts";
import { PageBuilder, type Detail, type ShownEntity } from "./page-builder.ts";

export interface GraphPage {
  entities: ShownEntity[];
  relations: Relation[];
  total: Totals;
  truncated: boolean;
  nextCursor?: string;
}

export interface ReadOptions {
  readonly detail: Detail;
  /** Most entities and relations on the page. Default: as many as fit. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly maxBytes: number;
}

/**
 * Where a page starts: after the entity ("e") or relation ("r") with the id `after`. Of the divided entity, the observations before the one
 * with the id `before` follow: others that are added meanwhile move nothing.
 */
type Start = readonly [kind: "e" | "r", after: number, divided: number, before: number];

const FIRST_PAGE: Start = ["e", 0, 0, 0];

export function readGraph(rows: Rows, { detail, limit = Number.POSITIVE_INFINITY, cursor, maxBytes }: ReadOptions): GraphPage {
  const query = ["read_graph", detail];
  return rows.read(() => {
    const start = cursor === undefined ? FIRST_PAGE : (openCursor(rows, query, cursor) as Start); // sealed below
    const page: GraphPage = { entities: [], relations: [], total: rows.totals(), truncated: false };
    const next = fillPage(rows, page, start, { detail, limit, maxBytes });
    return next === undefined ? page : { ...page, truncated: true, nextCursor: sealCursor(rows, query, next) };
  });
}

/** Returns where the next page starts, or undefined at the end of the graph. */
function fillPage(
  rows: Rows,
  page: GraphPage,
  [kind, after, divided, before]: Start,
  { detail, limit, maxBytes }: ReadOptions & { readonly limit: number },
): Start | undefined {
  if (kind === "r") return addRelations(rows, page, after, limit, maxBytes);
  const builder = new PageBuilder(rows, maxBytes, { detail });
  page.entities = builder.entities;
  let last = after;
  for (const row of rows.entities.createdAfter(after, detail !== "names")) {
    if (page.entities.length >= limit) return ["e", last, 0, 0];
    const added = builder.add(row, row.id === divided ? before : 0);
    if (!added.isComplete) return ["e", last, row.id, added.before];
    last = row.id;
  }
  // A list of names has no relations: they are the larger part of most graphs.
  if (detail === "names") return undefined;
  return addRelations(rows, page, 0, limit - page.entities.length, builder.bytesLeft);
}

function addRelations(rows: Rows, page: GraphPage, after: number, limit: number, maxBytes: number): Start | undefined {
  let last = after;
  let bytesLeft = maxBytes;
  for (const row of rows.relations.createdAfter(after)) {
    const relation = toRelation(row);
    const bytes = bytesOfRelation(relation);
    const isFirst = page.relations.length === 0 && page.entities.length === 0;
    if (!isFirst && (page.relations.length >= limit || bytes > bytesLeft)) return ["r", last, 0, 0];
    bytesLeft -= bytes;
    page.relations.push(relation);
    last = row.id;
  }
  return undefined;
}
