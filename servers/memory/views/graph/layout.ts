// Layout: finds places for the entities, in slices that leave the page responsive.
import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } from "d3-force";
import type { Graph, GraphEdge, GraphNode } from "./graph.ts";

/** Of one frame, the other half is for drawing. */
const SLICE_MS = 6;
/** With more nodes the layout is coarser. */
const LARGE = 300;

/** Towards the center, so that separate parts stay near each other. */
const GRAVITY = 0.06;

const FINE = { charge: -260, distance: 90, collide: 24, decay: 0.025, theta: 0.9, reach: 800 };
const COARSE = { charge: -40, distance: 30, collide: 0, decay: 0.05, theta: 1.5, reach: 400 };

export class Layout {
  isSettled = false;
  readonly #graph: Graph;
  readonly #draw: () => void;
  readonly #simulation = forceSimulation<GraphNode>([]).stop();
  #isQueued = false;

  /** `draw` is called once in a frame while places change, and when they are final. */
  constructor(graph: Graph, draw: () => void) {
    this.#graph = graph;
    this.#draw = draw;
  }

  /** Begins anew, or with `alpha` below 1 from the current positions, after nodes were added. */
  start(alpha = 1): void {
    const { nodes, edges } = this.#graph;
    const { charge, distance, collide, decay, theta, reach } = nodes.length > LARGE ? COARSE : FINE;
    this.#simulation
      .nodes(nodes)
      .force("link", forceLink<GraphNode, GraphEdge>(edges).distance(distance))
      .force("charge", forceManyBody().strength(charge).theta(theta).distanceMax(reach))
      .force("x", forceX().strength(GRAVITY))
      .force("y", forceY().strength(GRAVITY))
      .force("collide", collide === 0 ? null : forceCollide(collide))
      .alphaDecay(decay)
      .alphaMin(0.01)
      .alpha(alpha);
    this.isSettled = false;
    this.#queue();
  }

  #slice(): void {
    const end = performance.now() + SLICE_MS;
    while (!this.isSettled && performance.now() < end) {
      this.#simulation.tick();
      this.isSettled = this.#simulation.alpha() < this.#simulation.alphaMin();
    }
    this.#draw();
    if (!this.isSettled) this.#queue();
  }

  #queue(): void {
    if (this.#isQueued) return;
    this.#isQueued = true;
    requestAnimationFrame(() => {
      this.#isQueued = false;
      this.#slice();
    });
  }
}
