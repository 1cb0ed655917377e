// Layout of the diagram: related tables by dagre, one group after another, and tables without relations in rows below.
import { Graph, layout } from "@dagrejs/dagre";
import { CHARACTER_WIDTH, type Box } from "./boxes.ts";
import { labelOf, type Relation } from "./relations.ts";
import type { SchemaTable } from "./schema-data.ts";

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface PlacedBox extends Box {
  /** Of the upper left corner. */
  x: number;
  y: number;
}

export interface PlacedEdge {
  readonly relation: Relation;
  points: readonly Point[];
}

export interface Layout {
  readonly boxes: readonly PlacedBox[];
  readonly edges: readonly PlacedEdge[];
  readonly width: number;
  readonly height: number;
}

const GAP = 28;
const MAX_ROW_WIDTH = 1100;

/** Each group is laid out in a task of its own, so that the page stays quick. */
export async function layOut(boxes: readonly Box[], relations: readonly Relation[]): Promise<Layout> {
  const groups = groupsOf(boxes, relations);
  const placed: Layout[] = [];
  for (const group of groups.filter(({ length }) => length > 1)) {
    const members = new Set(group.map(({ table }) => table));
    const between = relations.filter(({ from, to }) => from !== to && members.has(from));
    placed.push(withLoops(withDagre(group, between), relations));
    await new Promise((resolve) => setTimeout(resolve));
  }
  const single = groups.filter(({ length }) => length === 1).flat();
  placed.push(
    ...single.map((box) => withLoops({ boxes: [{ ...box, x: 0, y: 0 }], edges: [], width: box.width, height: box.height }, relations)),
  );
  return inRows(placed);
}

const LOOP = 26;

/** Foreign keys to the same table, as loops at its right side. */
function withLoops({ boxes, edges, width, height }: Layout, relations: readonly Relation[]): Layout {
  const loops = boxes.flatMap(({ table, x, y, width: boxWidth }) =>
    relations
      .filter(({ from, to }) => from === table && to === table)
      .map((relation, index) => {
        const [right, top, bottom] = [x + boxWidth, y + 12, y + 40 + index * 16];
        const points = [
          { x: right, y: bottom },
          { x: right + LOOP, y: bottom },
          { x: right + LOOP, y: top },
          { x: right, y: top },
        ];
        return { relation, points };
      }),
  );
  const right = Math.max(
    width,
    ...loops.map(({ relation, points: [point] }) => (point?.x ?? 0) + LOOP + labelOf(relation).length * CHARACTER_WIDTH),
  );
  return { boxes, edges: [...edges, ...loops], width: right, height };
}

/** Tables that foreign keys connect, in the order of the boxes. */
function groupsOf(boxes: readonly Box[], relations: readonly Relation[]): Box[][] {
  const groupOf = new Map<SchemaTable, Box[]>(boxes.map((box) => [box.table, [box]]));
  for (const { from, to } of relations) {
    const [one, other] = [groupOf.get(from), groupOf.get(to)];
    if (one === undefined || other === undefined || one === other) continue;
    one.push(...other);
    for (const { table } of other) groupOf.set(table, one);
  }
  return [...new Set(groupOf.values())];
}

function withDagre(boxes: readonly Box[], relations: readonly Relation[]): Layout {
  const longestLabel = Math.max(...relations.map((relation) => labelOf(relation).length));
  const graph = new Graph({ multigraph: true });
  graph.setGraph({
    rankdir: "LR",
    nodesep: 24,
    ranksep: 36 + longestLabel * CHARACTER_WIDTH,
    edgesep: 12,
    marginx: 12,
    marginy: 12,
    ranker: "tight-tree",
  });
  graph.setDefaultEdgeLabel(() => ({}));
  const ids = new Map(boxes.map(({ table }, index) => [table, String(index)]));
  const idOf = (table: SchemaTable): string => ids.get(table) ?? "";
  for (const { table, width, height } of boxes) graph.setNode(idOf(table), { width, height });
  relations.forEach(({ from, to }, index) => graph.setEdge(idOf(from), idOf(to), {}, String(index)));
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return {
    boxes: boxes.map((box) => {
      const { x = 0, y = 0 } = graph.node(idOf(box.table)) as Partial<Point>;
      return { ...box, x: x - box.width / 2, y: y - box.height / 2 };
    }),
    edges: relations.map((relation, index) => {
      const { points = [] } = graph.edge({ v: idOf(relation.from), w: idOf(relation.to), name: String(index) }) as { points?: Point[] };
      return { relation, points };
    }),
    width,
    height,
  };
}

/** Groups one beside another as long as they fit into a row. */
function inRows(layouts: readonly Layout[]): Layout {
  const rowWidth = Math.max(MAX_ROW_WIDTH, ...layouts.map(({ width }) => width));
  let [x, y, rowHeight, fullWidth] = [0, 0, 0, 0];
  const [boxes, edges]: [PlacedBox[], PlacedEdge[]] = [[], []];
  for (const part of layouts) {
    if (x > 0 && x + part.width > rowWidth) [x, y, rowHeight] = [0, y + rowHeight + GAP, 0];
    const [left, top] = [x, y];
    boxes.push(...part.boxes.map((box) => ({ ...box, x: box.x + left, y: box.y + top })));
    edges.push(...part.edges.map((edge) => ({ ...edge, points: edge.points.map((point) => ({ x: point.x + left, y: point.y + top })) })));
    x += part.width + GAP;
    rowHeight = Math.max(rowHeight, part.height);
    fullWidth = Math.max(fullWidth, x - GAP);
  }
  return { boxes, edges, width: fullWidth, height: y + rowHeight };
}
