// What the pictures of a graph have in common: one of SVG, with text and focus for each entity, and one on a canvas for many entities.
import type { Graph, GraphNode } from "./graph.ts";
import type { Kinds } from "./kinds.ts";
import type { Viewport } from "./viewport.ts";

export interface Picture {
  readonly element: HTMLElement | SVGElement;
  /** Draws entities and relations at their current positions. */
  draw(): void;
  /** Takes up what is new in the graph, and the colors of a new theme. */
  update(): void;
}

/** What a picture shows, and what it reports. */
export interface Scene {
  readonly graph: Graph;
  readonly kinds: Kinds;
  readonly viewport: Viewport;
  /** The selected entity. */
  readonly selected: GraphNode | undefined;
  readonly isSettled: boolean;
  select(node: GraphNode): void;
}

export const isNear = (node: GraphNode, selected: GraphNode | undefined): boolean =>
  node === selected || node.edges.some(({ source, target }) => source === selected || target === selected);

export const radiusOf = ({ edges }: GraphNode): number => Math.min(14, 6 + Math.sqrt(edges.length));

/** The keys that move within a picture, with their directions. */
export const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
}

const LABEL_HEIGHT = 14;

/** Chooses labels that do not overlap, in the order of the calls. */
export class LabelSpace {
  readonly #taken: Box[] = [];

  take(box: Box): boolean {
    const overlaps = this.#taken.some(
      ({ left, top, width }) => Math.abs(top - box.top) < LABEL_HEIGHT && left < box.left + box.width && box.left < left + width,
    );
    if (!overlaps) this.#taken.push(box);
    return !overlaps;
  }
}
