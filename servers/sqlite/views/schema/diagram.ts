// Diagram: tables and their foreign keys as SVG with text.
import { clipped, counted, svg, visible } from "@oarlock/extensions/page";
import { HEAD_HEIGHT, KEY_WIDTH, ROW_HEIGHT } from "./boxes.ts";
import type { Layout, PlacedBox, PlacedEdge, Point } from "./layout.ts";
import { describeKey, labelOf } from "./relations.ts";
import type { SchemaTable } from "./schema-data.ts";
import { Viewport } from "./viewport.ts";

export class Diagram {
  readonly element: HTMLElement;
  readonly #viewport: Viewport;
  readonly #boxes = new Map<SchemaTable, { readonly box: PlacedBox; readonly group: SVGGElement }>();

  constructor({ boxes, edges, width, height }: Layout, select: (table: SchemaTable) => void) {
    const lines = svg("g", { class: "edges" }, ...edges.map(edgeGroup));
    const groups = boxes.map((box) => {
      const group = tableGroup(box, () => select(box.table));
      group.addEventListener("focus", () => this.#viewport.reveal(box));
      this.#boxes.set(box.table, { box, group });
      return group;
    });
    this.#viewport = new Viewport(svg("g", {}, markers(), lines, ...groups), { width: width + 8, height: height + 8 });
    this.element = this.#viewport.element;
  }

  has(table: SchemaTable): boolean {
    return this.#boxes.has(table);
  }

  /** Marks a table and brings it into sight. */
  mark(table: SchemaTable): void {
    for (const [other, { group }] of this.#boxes) group.classList.toggle("selected", other === table);
    const box = this.#boxes.get(table)?.box;
    if (box !== undefined) this.#viewport.reveal(box);
  }
}

function tableGroup(box: PlacedBox, select: () => void): SVGGElement {
  const { table, title, rows, note, width, height } = box;
  const group = svg(
    "g",
    {
      class: `table ${table.type}`,
      role: "group",
      tabindex: 0,
      "aria-label": `${table.type === "table" ? "Table" : visible(table.type)} ${clipped(table.name, 80)}, ${counted(table.columns.length + (table.omittedColumns ?? 0), "column")}`,
      transform: `translate(${box.x} ${box.y})`,
      onclick: select,
      onkeydown: (event) => {
        const { key } = event as KeyboardEvent; // by its type
        if (key !== "Enter" && key !== " ") return;
        event.preventDefault();
        select();
      },
    },
    svg("rect", { class: "box", width, height, rx: 5 }),
    svg("path", { class: "head", d: `M0 ${HEAD_HEIGHT}V5a5 5 0 0 1 5 -5H${width - 5}a5 5 0 0 1 5 5V${HEAD_HEIGHT}Z` }),
    svg("text", { class: "title", x: 8, y: 18 }, title),
  );
  rows.forEach(({ key, name, type }, index) => {
    const y = HEAD_HEIGHT + (index + 1) * ROW_HEIGHT - 3;
    group.append(
      ...(key === "" ? [] : [svg("text", { class: "key", x: 8, y }, key)]),
      svg("text", { x: KEY_WIDTH + 6, y }, name),
      svg("text", { class: "type", x: width - 8, y, "text-anchor": "end" }, type),
    );
  });
  if (note !== undefined) group.append(svg("text", { class: "type", x: 8, y: HEAD_HEIGHT + (rows.length + 1) * ROW_HEIGHT - 3 }, note));
  return group;
}

function edgeGroup({ relation, points }: PlacedEdge): SVGGElement {
  const { from, key } = relation;
  const { x, y } = points.at(points.length / 2) ?? { x: 0, y: 0 };
  const place = relation.from === relation.to ? { x: x + 4, y: y + 14 } : { x, y: y - 4, "text-anchor": "middle" };
  return svg(
    "g",
    {},
    svg("title", {}, clipped(`${from.name}: ${describeKey(key)}`, 200)),
    svg("path", { d: curveThrough(points), "marker-start": "url(#many)", "marker-end": "url(#one)" }),
    svg("text", { class: "type", ...place }, labelOf(relation)),
  );
}

/** Through the middles of the inner lines, so that corners are round. */
function curveThrough(points: readonly Point[]): string {
  const [first, ...others] = points;
  const last = others.pop();
  if (first === undefined || last === undefined) return "";
  const curves = others.map(({ x, y }, index) => {
    const next = others[index + 1];
    return next === undefined ? `Q${x} ${y} ${last.x} ${last.y}` : `Q${x} ${y} ${(x + next.x) / 2} ${(y + next.y) / 2}`;
  });
  return `M${first.x} ${first.y}${curves.length === 0 ? `L${last.x} ${last.y}` : curves.join("")}`;
}

/** A crow's foot at the table with the foreign key, a bar at the referenced one. */
const markers = (): SVGDefsElement =>
  svg(
    "defs",
    {},
    svg(
      "marker",
      { id: "many", viewBox: "0 0 12 12", refX: 0, refY: 6, markerWidth: 12, markerHeight: 12, orient: "auto" },
      svg("path", { d: "M0 1L11 6L0 11M0 6H11" }),
    ),
    svg(
      "marker",
      { id: "one", viewBox: "0 0 12 12", refX: 12, refY: 6, markerWidth: 12, markerHeight: 12, orient: "auto" },
      svg("path", { d: "M6 1V11" }),
    ),
  );
