// Viewport: which part of the graph is visible. Moved by dragging, by keys, and by the controls of the page.
import type { GraphNode } from "./graph.ts";

const MARGIN = 36;
const MAX_SCALE = 4;
const MIN_SCALE = 0.05;
/** Few entities fill the region, at a distance at which their relations are still short. */
const MAX_FIT_SCALE = 2.5;
/** A pointer that moves less than this clicks. */
const CLICK_DISTANCE = 4;

export interface Point {
  readonly x: number;
  readonly y: number;
}

export class Viewport {
  width = 600;
  height = 400;
  #scale = 1;
  #x = 0;
  #y = 0;
  /** The user has moved it, so it no longer follows the layout. */
  #isMoved = false;

  get scale(): number {
    return this.#scale;
  }

  /** Where the center of the layout is on the screen. */
  get offset(): Point {
    return { x: this.#x, y: this.#y };
  }

  toScreen({ x, y }: Point): Point {
    return { x: x * this.#scale + this.#x, y: y * this.#scale + this.#y };
  }

  /** Shows all nodes, unless the user has chosen a part. */
  follow(nodes: readonly GraphNode[]): void {
    if (!this.#isMoved) this.fit(nodes);
  }

  fit(nodes: readonly GraphNode[]): void {
    this.#isMoved = false;
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const { x, y } of nodes) {
      [left, right] = [Math.min(left, x), Math.max(right, x)];
      [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
    }
    if (!Number.isFinite(left + right + top + bottom)) return;
    const across = (this.width - 2 * MARGIN) / Math.max(1, right - left);
    const down = (this.height - 2 * MARGIN) / Math.max(1, bottom - top);
    this.#scale = Math.min(MAX_FIT_SCALE, Math.max(MIN_SCALE, Math.min(across, down)));
    this.#center({ x: (left + right) / 2, y: (top + bottom) / 2 });
  }

  /** Moves the view so that the point is visible. */
  reveal(point: Point): void {
    const { x, y } = this.toScreen(point);
    const isVisible = x > MARGIN && y > MARGIN && x < this.width - MARGIN && y < this.height - MARGIN;
    if (isVisible) return;
    this.#isMoved = true;
    this.#center(point);
  }

  zoom(factor: number, at: Point = { x: this.width / 2, y: this.height / 2 }): void {
    const scale = Math.min(MAX_SCALE, Math.max(MIN_SCALE, this.#scale * factor));
    const change = scale / this.#scale;
    this.#x = at.x - (at.x - this.#x) * change;
    this.#y = at.y - (at.y - this.#y) * change;
    this.#scale = scale;
    this.#isMoved = true;
  }

  pan(x: number, y: number): void {
    this.#x += x;
    this.#y += y;
    this.#isMoved = true;
  }

  #center({ x, y }: Point): void {
    this.#x = this.width / 2 - x * this.#scale;
    this.#y = this.height / 2 - y * this.#scale;
  }

  /** Dragging pans; the wheel zooms with Ctrl, as a pinch does; anything else is a click. */
  listen(element: HTMLElement | SVGElement, draw: () => void, click: (at: Point) => void): void {
    let last: Point | undefined;
    let distance = 0;
    const pointOf = ({ clientX, clientY }: MouseEvent): Point => {
      const { left, top } = element.getBoundingClientRect();
      return { x: clientX - left, y: clientY - top };
    };
    const on = (type: "pointerdown" | "pointermove" | "pointerup" | "pointercancel", handle: (event: PointerEvent) => void): void =>
      element.addEventListener(type, (event) => handle(event as PointerEvent)); // of a union of elements only Event is known
    on("pointerdown", (event) => {
      [last, distance] = [pointOf(event), 0];
    });
    on("pointermove", (event) => {
      if (last === undefined || event.buttons === 0) return;
      const point = pointOf(event);
      distance += Math.hypot(point.x - last.x, point.y - last.y);
      if (distance > CLICK_DISTANCE) {
        element.setPointerCapture(event.pointerId);
        this.pan(point.x - last.x, point.y - last.y);
        draw();
      }
      last = point;
    });
    on("pointerup", (event) => {
      if (last !== undefined && distance <= CLICK_DISTANCE) click(pointOf(event));
      last = undefined;
    });
    on("pointercancel", () => (last = undefined));
    element.addEventListener(
      "wheel",
      (event) => {
        const { ctrlKey, deltaY } = event as WheelEvent; // of the type "wheel"
        if (!ctrlKey) return;
        event.preventDefault();
        this.zoom(Math.exp(-deltaY / 200), pointOf(event as WheelEvent)); // of the type "wheel"
        draw();
      },
      { passive: false },
    );
  }
}
