// SvgPicture: each entity is an element with text, which the keyboard reaches; arrow keys move to the next one in their direction.
import { clipped, svg, visible } from "@oarlock/extensions/page";
import type { GraphEdge, GraphNode } from "./graph.ts";
import { typeLabel } from "./kinds.ts";
import { ARROWS, LabelSpace, isNear, radiusOf, type Picture, type Scene } from "./picture.ts";

const LABEL_LENGTH = 24;
const CHARACTER_WIDTH = 6.6;
/** With more relations, only those of the selected entity have labels. */
const MAX_LABELLED_EDGES = 40;
const MAX_TYPES = 3;

interface EdgeParts {
  readonly path: SVGPathElement;
  readonly label: SVGTextElement;
}

interface NodeParts {
  readonly group: SVGGElement;
  readonly circle: SVGCircleElement;
  readonly label: SVGTextElement;
}

export class SvgPicture implements Picture {
  readonly element: SVGSVGElement;
  readonly #scene: Scene;
  readonly #edges = new Map<GraphEdge, EdgeParts>();
  readonly #nodes = new Map<GraphNode, NodeParts>();
  readonly #edgeLayer = svg("g", { "aria-hidden": "true" });
  readonly #nodeLayer = svg("g");

  constructor(scene: Scene) {
    this.#scene = scene;
    const arrow = svg("path", { d: "M0 0 8 4 0 8z" });
    const marker = svg(
      "marker",
      { id: "arrow", viewBox: "0 0 8 8", refX: 8, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" },
      arrow,
    );
    this.element = svg("svg", { class: "picture", role: "group", "aria-label": "Picture of the graph" }, svg("defs", {}, marker));
    this.element.append(this.#edgeLayer, this.#nodeLayer);
    this.element.addEventListener("keydown", (event) => this.#move(event));
    scene.viewport.listen(
      this.element,
      () => this.draw(),
      () => undefined,
    );
    this.update();
  }

  update(): void {
    for (const edge of this.#scene.graph.edges) if (!this.#edges.has(edge)) this.#addEdge(edge);
    for (const node of this.#scene.graph.nodes) if (!this.#nodes.has(node)) this.#addNode(node);
    for (const [edge, { label }] of this.#edges) label.textContent = labelOf(edge);
  }

  draw(): void {
    const { viewport, selected, graph, kinds, isSettled } = this.#scene;
    const { width, height } = viewport;
    this.element.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.element.toggleAttribute("data-settled", isSettled);
    const labelsAll = graph.edges.length <= MAX_LABELLED_EDGES;
    for (const [edge, { path, label }] of this.#edges) {
      const isOfSelected = edge.source === selected || edge.target === selected;
      this.#drawEdge(edge, path, label);
      path.setAttribute("class", isOfSelected ? "edge near" : "edge");
      label.setAttribute("class", labelsAll || isOfSelected ? "edge-label" : "edge-label faded");
    }
    for (const [node, { group, circle, label }] of this.#nodes) {
      const { x, y } = viewport.toScreen(node);
      group.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
      group.setAttribute("aria-pressed", String(node === selected));
      circle.setAttribute("class", `kind-${kinds.of(node)}${node.isResult ? "" : " beyond"}`);
      circle.setAttribute("r", String(radiusOf(node)));
      label.setAttribute("y", String(radiusOf(node) + 12));
    }
    if (isSettled) this.#chooseLabels();
  }

  /** Hides labels that would cover others; those of the selected entity and of its neighbours come first. */
  #chooseLabels(): void {
    const { viewport, selected } = this.#scene;
    const space = new LabelSpace();
    const rank = (node: GraphNode): number => node.edges.length + (isNear(node, selected) ? 1000 : 0);
    for (const [node, { label }] of [...this.#nodes].sort(([a], [b]) => rank(b) - rank(a))) {
      const { x, y } = viewport.toScreen(node);
      const width = (label.textContent ?? "").length * CHARACTER_WIDTH;
      const fits = space.take({ left: x - width / 2, top: y + radiusOf(node), width });
      label.classList.toggle("faded", !fits && node !== selected);
    }
  }

  #addEdge(edge: GraphEdge): void {
    const path = svg("path", { class: "edge", "marker-end": "url(#arrow)" });
    const label = svg("text", { class: "edge-label" });
    this.#edges.set(edge, { path, label });
    this.#edgeLayer.append(path, label);
  }

  #addNode(node: GraphNode): void {
    const shown = clipped(node.name, LABEL_LENGTH);
    const circle = svg("circle");
    const label = svg("text", { class: "label" }, shown);
    const name = node.entityType === undefined ? shown : `${shown}, ${typeLabel(node.entityType)}`;
    const isFirst = this.#nodes.size === 0;
    const group = svg(
      "g",
      { class: "node", role: "button", tabindex: isFirst ? 0 : -1, "aria-label": name, "aria-pressed": "false" },
      svg("title", {}, clipped(node.name)),
      circle,
      label,
    );
    group.addEventListener("click", () => this.#scene.select(node));
    group.addEventListener("focus", () => this.#keepTabStop(group));
    this.#nodes.set(node, { group, circle, label });
    this.#nodeLayer.append(group);
  }

  /** Tab leads to the entity that had the focus last. */
  #keepTabStop(focused: SVGGElement): void {
    for (const { group } of this.#nodes.values()) group.setAttribute("tabindex", group === focused ? "0" : "-1");
  }

  #move(event: KeyboardEvent): void {
    const [current] = [...this.#nodes].find(([, { group }]) => group === document.activeElement) ?? [];
    if (current === undefined) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#scene.select(current);
    }
    const direction = ARROWS[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    const next = nextInDirection(this.#scene.graph.nodes, current, direction);
    if (next === undefined) return;
    this.#scene.viewport.reveal(next);
    this.draw();
    this.#nodes.get(next)?.group.focus();
  }

  #drawEdge(edge: GraphEdge, path: SVGPathElement, label: SVGTextElement): void {
    const { graph, viewport } = this.#scene;
    const [a, b] = [viewport.toScreen(edge.source), viewport.toScreen(edge.target)];
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const length = Math.hypot(dx, dy) || 1;
    if (edge.source === edge.target) {
      const r = radiusOf(edge.source);
      path.setAttribute("d", `M${a.x - r} ${a.y}c${-3 * r} ${-4 * r} ${5 * r} ${-4 * r} ${2 * r} 0`);
      placeLabel(label, a.x, a.y - 3 * r);
      return;
    }
    const bend = graph.hasReverse(edge) ? Math.min(40, length / 4) : 0;
    const [cx, cy] = [(a.x + b.x) / 2 - (dy / length) * bend, (a.y + b.y) / 2 + (dx / length) * bend];
    const end = radiusOf(edge.target) + 2;
    const toEnd = Math.hypot(b.x - cx, b.y - cy) || 1;
    const [ex, ey] = [b.x - ((b.x - cx) / toEnd) * end, b.y - ((b.y - cy) / toEnd) * end];
    path.setAttribute("d", `M${a.x.toFixed(1)} ${a.y.toFixed(1)}Q${cx.toFixed(1)} ${cy.toFixed(1)} ${ex.toFixed(1)} ${ey.toFixed(1)}`);
    placeLabel(label, (a.x + 2 * cx + b.x) / 4, (a.y + 2 * cy + b.y) / 4);
  }
}

function placeLabel(label: SVGTextElement, x: number, y: number): void {
  label.setAttribute("x", x.toFixed(1));
  label.setAttribute("y", y.toFixed(1));
}

function labelOf({ types }: GraphEdge): string {
  const shown = types.slice(0, MAX_TYPES).map((type) => clipped(type, LABEL_LENGTH));
  return visible(shown.join(", ")) + (types.length > MAX_TYPES ? ` +${types.length - MAX_TYPES}` : "");
}

/** The nearest node within 60 degrees of the direction. */
function nextInDirection(nodes: readonly GraphNode[], from: GraphNode, [dx, dy]: readonly [number, number]): GraphNode | undefined {
  let best: { node: GraphNode; distance: number } | undefined;
  for (const node of nodes) {
    const [x, y] = [node.x - from.x, node.y - from.y];
    const distance = Math.hypot(x, y);
    const along = x * dx + y * dy;
    if (node !== from && along > distance / 2 && (best === undefined || distance < best.distance)) best = { node, distance };
  }
  return best?.node;
}
