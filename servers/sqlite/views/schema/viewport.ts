// Viewport: the part of the diagram in sight, moved and zoomed by pointer, keyboard and buttons.
import { button, element, svg, toolbar } from "@oarlock/extensions/page";

const MAX_HEIGHT = 480;
const MIN_HEIGHT = 140;
const [MIN_SCALE, MAX_SCALE] = [0.1, 3];
/** Smaller text cannot be read, so a large diagram begins with a part of it. */
const READABLE_SCALE = 0.45;
const STEP_PIXELS = 60;
const ZOOM = 1.25;

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export class Viewport {
  readonly element: HTMLElement;
  readonly #content: SVGGElement;
  readonly #frame: HTMLElement;
  readonly #size: { readonly width: number; readonly height: number };
  #x = 0;
  #y = 0;
  #scale = 1;
  /** The user has moved or zoomed, so a new width of the page changes nothing. */
  #isMoved = false;

  constructor(content: SVGGElement, size: { width: number; height: number }) {
    this.#content = content;
    this.#size = size;
    const image = svg("svg", { role: "group", "aria-label": "ER diagram", class: "er" }, content);
    this.#frame = element(
      "div",
      {
        class: "diagram",
        role: "region",
        "aria-label": "Diagram: arrow keys move it, plus and minus zoom, 0 fits it",
        tabindex: 0,
        onkeydown: (event) => this.#key(event as KeyboardEvent), // by its type
        onpointerdown: (event) => this.#drag(event as PointerEvent), // by its type
      },
      image,
    );
    this.#frame.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    const controls = toolbar(
      "Zoom",
      button("Zoom in", () => this.#zoom(ZOOM)),
      button("Zoom out", () => this.#zoom(1 / ZOOM)),
      button("Fit", () => this.fit()),
    );
    this.element = element("div", { class: "viewport" }, controls, this.#frame);
    new ResizeObserver(() => {
      if (!this.#isMoved) this.fit();
    }).observe(this.#frame);
  }

  /** All of the diagram, or its beginning where it would be too small to read. */
  fit(): void {
    this.#isMoved = false;
    const { width, height } = this.#size;
    const room = this.#frame.clientWidth || 600;
    const whole = Math.min(1, room / width, MAX_HEIGHT / height);
    this.#scale = Math.max(READABLE_SCALE, whole);
    this.#frame.style.height = `${Math.max(MIN_HEIGHT, Math.min(MAX_HEIGHT, height * this.#scale + 4))}px`;
    this.#x = Math.max(0, (room - width * this.#scale) / 2);
    this.#y = 2;
    this.#apply();
  }

  /** Moves the diagram so that an area of it is in sight. */
  reveal({ x, y, width, height }: Area): void {
    const [left, top] = [x * this.#scale + this.#x, y * this.#scale + this.#y];
    const [right, bottom] = [left + width * this.#scale, top + height * this.#scale];
    if (left >= 0 && top >= 0 && right <= this.#frame.clientWidth && bottom <= this.#frame.clientHeight) return;
    this.#x = this.#frame.clientWidth / 2 - (x + width / 2) * this.#scale;
    this.#y = Math.min(8 - y * this.#scale, this.#frame.clientHeight / 2 - (y + height / 2) * this.#scale);
    this.#isMoved = true;
    this.#apply();
  }

  #apply(): void {
    this.#content.setAttribute("transform", `translate(${this.#x} ${this.#y}) scale(${this.#scale})`);
  }

  #move(x: number, y: number): void {
    this.#isMoved = true;
    this.#x += x;
    this.#y += y;
    this.#apply();
  }

  /** Around a point of the frame; by default its middle. */
  #zoom(factor: number, at = { x: this.#frame.clientWidth / 2, y: this.#frame.clientHeight / 2 }): void {
    const scale = Math.min(MAX_SCALE, Math.max(MIN_SCALE, this.#scale * factor));
    const change = scale / this.#scale;
    this.#scale = scale;
    this.#move((at.x - this.#x) * (1 - change), (at.y - this.#y) * (1 - change));
  }

  #key(event: KeyboardEvent): void {
    const actions: Record<string, () => void> = {
      ArrowLeft: () => this.#move(STEP_PIXELS, 0),
      ArrowRight: () => this.#move(-STEP_PIXELS, 0),
      ArrowUp: () => this.#move(0, STEP_PIXELS),
      ArrowDown: () => this.#move(0, -STEP_PIXELS),
      "+": () => this.#zoom(ZOOM),
      "=": () => this.#zoom(ZOOM),
      "-": () => this.#zoom(1 / ZOOM),
      "0": () => this.fit(),
    };
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : actions[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  }

  #drag({ button: pressed, clientX, clientY, pointerId }: PointerEvent): void {
    if (pressed !== 0) return;
    let [x, y, isDragged] = [clientX, clientY, false];
    const controller = new AbortController();
    const { signal } = controller;
    const move = (event: PointerEvent): void => {
      // A click with an unsteady hand is still a click: the pointer is captured only when it is dragged.
      if (!isDragged && Math.hypot(event.clientX - clientX, event.clientY - clientY) < 4) return;
      if (!isDragged) this.#frame.setPointerCapture(pointerId);
      isDragged = true;
      this.#move(event.clientX - x, event.clientY - y);
      [x, y] = [event.clientX, event.clientY];
    };
    this.#frame.addEventListener("pointermove", move, { signal });
    for (const end of ["pointerup", "pointercancel"] as const) addEventListener(end, () => controller.abort(), { signal });
  }

  /** With the control key only: otherwise the wheel scrolls the page. */
  #wheel(event: WheelEvent): void {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const { left, top } = this.#frame.getBoundingClientRect();
    this.#zoom(Math.exp(-event.deltaY / 300), { x: event.clientX - left, y: event.clientY - top });
  }
}
