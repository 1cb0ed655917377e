// Kinds: a color for each of the most frequent types of entities, and the legend that names them.
import { clipped, counted, element } from "@oarlock/extensions/page";
import type { GraphNode } from "./graph.ts";

/** Colors in style.css; the last one is for all other types. */
const COLORS = 8;
const OTHER = COLORS - 1;

export class Kinds {
  readonly legend: HTMLElement = element("ul", { class: "legend", "aria-label": "Types of entities" });
  readonly #kinds = new Map<string, number>();

  /** Types keep their color when entities are added. */
  update(nodes: readonly GraphNode[]): void {
    const counts = new Map<string, number>();
    for (const { entityType } of nodes) if (entityType !== undefined) counts.set(entityType, (counts.get(entityType) ?? 0) + 1);
    const byCount = [...counts].sort(([, a], [, b]) => b - a);
    for (const [type] of byCount) if (this.#kinds.size < OTHER && !this.#kinds.has(type)) this.#kinds.set(type, this.#kinds.size);
    const named = [...this.#kinds].filter(([type]) => counts.has(type));
    const others = byCount.filter(([type]) => !this.#kinds.has(type));
    const entry = (kind: number, label: string, count: number): HTMLElement =>
      element("li", {}, element("span", { class: `swatch kind-${kind}` }), element("bdi", {}, label), ` ${count.toLocaleString("en")}`);
    this.legend.replaceChildren(...named.map(([type, kind]) => entry(kind, typeLabel(type), counts.get(type) ?? 0)));
    if (others.length === 0) return;
    const sum = others.reduce((total, [, count]) => total + count, 0);
    this.legend.append(entry(OTHER, counted(others.length, "other type"), sum));
  }

  of({ entityType }: GraphNode): number {
    return entityType === undefined ? OTHER : (this.#kinds.get(entityType) ?? OTHER);
  }

  /** The colors of the current theme, for the canvas. */
  colors(): string[] {
    const probe = document.body.appendChild(element("span"));
    const colors = Array.from({ length: COLORS }, (_, kind) => {
      probe.className = `swatch kind-${kind}`;
      return getComputedStyle(probe).backgroundColor;
    });
    probe.remove();
    return colors;
  }
}

export const typeLabel = (type: string): string => (type === "" ? "(no type)" : clipped(type, 40));
