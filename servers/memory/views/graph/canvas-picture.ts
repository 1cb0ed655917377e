// CanvasPicture: many entities on a canvas. The list of entities beside it has all of them as text.
import { clipped, counted, element } from "@oarlock/extensions/page";
import type { GraphEdge, GraphNode } from "./graph.ts";
import { ARROWS, LabelSpace, isNear, radiusOf, type Picture, type Scene } from "./picture.ts";
import type { Point } from "./viewport.ts";

const MAX_LABELS = 40;
const LABEL_LENGTH = 24;
/** A click this far from an entity selects it. */
const REACH = 12;
/** Many lines over each other would hide the entities. */
const EDGE_ALPHA = 0.35;
/** Lines below one pixel of the screen are drawn in a quicker way: for thousands of them wider ones take 40 ms more in a frame. */
const HAIRLINE = 0.95;
/** An arrow key moves the picture by so many pixels. */
const STEP = 60;
const ZOOMS: Readonly<Record<string, number>> = { "+": 1.4, "-": 1 / 1.4 };
const FONT = "12px system-ui, sans-serif";

interface Colors {
  readonly kinds: readonly string[];
  readonly text: string;
  readonly line: string;
  readonly accent: string;
  readonly background: string;
}

export class CanvasPicture implements Picture {
  readonly element: HTMLCanvasElement;
  readonly #scene: Scene;
  readonly #context: CanvasRenderingContext2D;
  #byDegree: readonly GraphNode[] = [];
  #colors: Colors | undefined;

  constructor(scene: Scene) {
    this.#scene = scene;
    this.element = element("canvas", { class: "picture", role: "img", tabindex: 0 });
    this.element.addEventListener("keydown", (event) => this.#move(event));
    const context = this.element.getContext("2d");
    if (context === null) throw new Error("This browser has no canvas.");
    this.#context = context;
    scene.viewport.listen(
      this.element,
      () => this.draw(),
      (at) => this.#pick(at),
    );
    this.update();
  }

  update(): void {
    this.#colors = undefined;
    const { nodes, relationCount } = this.#scene.graph;
    const counts = `${counted(nodes.length, "entity", "entities")} and ${counted(relationCount, "relation")}`;
    this.element.setAttribute(
      "aria-label",
      `Picture of ${counts}. The list of entities has their names. Arrow keys move it, + and - zoom.`,
    );
    this.#byDegree = [...nodes].sort((a, b) => b.edges.length - a.edges.length).slice(0, MAX_LABELS);
  }

  draw(): void {
    const { viewport, graph, selected, isSettled } = this.#scene;
    const { width, height } = viewport;
    const density = Math.min(2, devicePixelRatio);
    const [pixelWidth, pixelHeight] = [Math.round(width * density), Math.round(height * density)];
    // Setting the size clears the canvas, and takes longer.
    if (this.element.width !== pixelWidth || this.element.height !== pixelHeight)
      [this.element.width, this.element.height] = [pixelWidth, pixelHeight];
    this.element.toggleAttribute("data-settled", isSettled);
    const colors = (this.#colors ??= this.#readColors());
    this.#context.setTransform(density, 0, 0, density, 0, 0);
    this.#context.clearRect(0, 0, width, height);
    // The canvas converts places of the layout: points of its own for each line would be garbage in each frame.
    const { scale, offset } = viewport;
    this.#context.setTransform(density * scale, 0, 0, density * scale, density * offset.x, density * offset.y);
    this.#context.globalAlpha = EDGE_ALPHA;
    this.#drawEdges(graph.edges, colors.line, HAIRLINE / density);
    this.#context.globalAlpha = 1;
    if (selected !== undefined) this.#drawEdges(selected.edges, colors.accent, 2);
    this.#drawNodes(colors);
    this.#context.setTransform(density, 0, 0, density, 0, 0);
    this.#drawLabels(colors);
  }

  #drawEdges(edges: readonly GraphEdge[], color: string, width: number): void {
    const context = this.#context;
    context.strokeStyle = color;
    context.lineWidth = width / this.#scene.viewport.scale;
    context.beginPath();
    for (const { source, target } of edges) {
      context.moveTo(source.x, source.y);
      context.lineTo(target.x, target.y);
    }
    context.stroke();
  }

  /** One path for each color: a path for each node takes several times as long. */
  #drawNodes({ kinds, accent }: Colors): void {
    const context = this.#context;
    const { viewport, graph, selected, kinds: types } = this.#scene;
    const byKind = kinds.map((): GraphNode[] => []);
    for (const node of graph.nodes) byKind[types.of(node)]?.push(node);
    const { scale } = viewport;
    const size = Math.min(1, Math.max(0.4, scale)) / scale;
    for (const [kind, nodes] of byKind.entries()) {
      context.fillStyle = kinds[kind] ?? "";
      context.beginPath();
      for (const node of nodes) {
        const r = radiusOf(node) * size;
        context.moveTo(node.x + r, node.y);
        context.arc(node.x, node.y, r, 0, 2 * Math.PI);
      }
      context.fill();
    }
    if (selected === undefined) return;
    context.strokeStyle = accent;
    context.lineWidth = 3 / scale;
    context.beginPath();
    context.arc(selected.x, selected.y, (radiusOf(selected) + 4) / scale, 0, 2 * Math.PI);
    context.stroke();
  }

  #drawLabels({ text, background }: Colors): void {
    const context = this.#context;
    const { viewport, selected, graph } = this.#scene;
    const near = selected === undefined ? [] : [selected, ...graph.nodes.filter((node) => node !== selected && isNear(node, selected))];
    const space = new LabelSpace();
    context.font = FONT;
    context.textAlign = "center";
    context.lineWidth = 3;
    context.strokeStyle = background;
    context.fillStyle = text;
    for (const node of [...near.slice(0, MAX_LABELS), ...this.#byDegree]) {
      const { x, y } = viewport.toScreen(node);
      const label = clipped(node.name, LABEL_LENGTH);
      const width = label.length * 6.6;
      const top = y + radiusOf(node) + 10;
      if (!space.take({ left: x - width / 2, top, width })) continue;
      context.strokeText(label, x, top);
      context.fillText(label, x, top);
    }
  }

  #move(event: KeyboardEvent): void {
    const { viewport } = this.#scene;
    const [arrow, zoom] = [ARROWS[event.key], ZOOMS[event.key]];
    if (event.ctrlKey || event.metaKey || event.altKey || (arrow === undefined && zoom === undefined)) return;
    event.preventDefault();
    if (arrow !== undefined) viewport.pan(-arrow[0] * STEP, -arrow[1] * STEP);
    if (zoom !== undefined) viewport.zoom(zoom);
    this.draw();
  }

  #pick(at: Point): void {
    const { viewport, graph, select } = this.#scene;
    let best: { node: GraphNode; distance: number } | undefined;
    for (const node of graph.nodes) {
      const { x, y } = viewport.toScreen(node);
      const distance = Math.hypot(x - at.x, y - at.y);
      if (distance < REACH + radiusOf(node) && (best === undefined || distance < best.distance)) best = { node, distance };
    }
    if (best !== undefined) select(best.node);
  }

  #readColors(): Colors {
    const { color, backgroundColor, borderTopColor, outlineColor } = getComputedStyle(this.element);
    return { kinds: this.#scene.kinds.colors(), text: color, background: backgroundColor, line: borderTopColor, accent: outlineColor };
  }
}
