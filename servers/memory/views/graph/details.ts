// The details of one entity: type, observations, relations, and its timeline on request.
import { button, callTool, clipped, counted, element, inBatches, type Page } from "@oarlock/extensions/page";
import { observationCountOf, update, type GraphNode } from "./graph.ts";
import { typeLabel } from "./kinds.ts";
import { longText } from "./long-text.ts";
import { readReply } from "./reply.ts";
import { timelineOf } from "./timeline.ts";

const BATCH = 50;

export interface DetailsOptions {
  readonly page: Page;
  readonly asOf: string | undefined;
  select(node: GraphNode): void;
  /** The entity has got a type or observations. */
  changed(node: GraphNode): void;
}

export class Details {
  readonly element: HTMLElement = element("div", { class: "details" });
  readonly #node: GraphNode;
  readonly #options: DetailsOptions;
  readonly #relationsPlace = element("div");
  #drawn = "";

  constructor(node: GraphNode, options: DetailsOptions) {
    this.#node = node;
    this.#options = options;
    this.draw();
  }

  /** Reads what is missing of the observations. */
  load(): void {
    const { page } = this.#options;
    if (page.canCallTools && isPartial(this.#node)) page.act(() => this.#load());
  }

  /** Draws again what has changed. */
  update(): void {
    if (this.#drawn !== this.#facts()) this.draw();
    else this.#drawRelations();
  }

  #facts(): string {
    const { entityType, observations } = this.#node;
    return JSON.stringify([entityType, observations?.length, observationCountOf(this.#node)]);
  }

  draw(): void {
    this.#drawn = this.#facts();
    const { name, entityType } = this.#node;
    const { page } = this.#options;
    const timeline = element("div", { class: "timeline-place" });
    const showTimeline = button(
      "Timeline",
      () =>
        page.act(async () => {
          const isOpen = timeline.childElementCount > 0;
          timeline.replaceChildren(...(isOpen ? [] : [await timelineOf(page.host, name)]));
          showTimeline.setAttribute("aria-expanded", String(!isOpen));
        }),
      { "aria-label": `Timeline of ${clipped(name)}`, "aria-expanded": "false" },
    );
    this.element.replaceChildren(
      ...(name.length > 60 ? [element("p", { class: "message" }, longText(name))] : []),
      element("p", { class: "quiet" }, "Type: ", element("bdi", {}, entityType === undefined ? "unknown" : typeLabel(entityType))),
      this.#observations(),
      this.#relationsPlace,
      ...(page.canCallTools ? [showTimeline, timeline] : []),
    );
    this.#drawRelations();
  }

  async #load(): Promise<void> {
    const { page, asOf, changed } = this.#options;
    const { name } = this.#node;
    const args = { names: [name], ...(asOf !== undefined && { asOf }) };
    const { entities } = readReply(await callTool(page.host, "open_nodes", args));
    const found = entities.find((entity) => entity.name === name);
    if (found === undefined) return page.announce(`There is no entity ${clipped(name, 60)}: only relations name it.`);
    const { isResult } = this.#node;
    update(this.#node, found);
    this.#node.isResult = isResult;
    this.draw();
    changed(this.#node);
  }

  #observations(): HTMLElement {
    const { observations } = this.#node;
    const count = observationCountOf(this.#node);
    if (observations === undefined || count === undefined)
      return element("p", { class: "quiet" }, "Its observations are not part of this reply.");
    if (count === 0) return element("p", { class: "quiet" }, "No observations.");
    const list = element("ul", { class: "observations" });
    inBatches({
      items: observations,
      size: BATCH,
      append: (some) => list.append(...some.map((text) => element("li", {}, longText(text)))),
      placeControl: (control) => list.after(control),
    });
    const missing = count - observations.length;
    const heading = missing > 0 ? `${observations.length} of ${counted(count, "observation")}` : counted(count, "observation");
    const part = element("div", {}, element("p", { class: "heading" }, heading), list);
    return part;
  }

  #drawRelations(): void {
    const count = this.#node.edges.reduce((sum, { types }) => sum + types.length, 0);
    if (this.#relationsPlace.dataset["count"] === String(count)) return;
    this.#relationsPlace.dataset["count"] = String(count);
    this.#relationsPlace.replaceChildren(...(count === 0 ? [] : this.#relations(count)));
  }

  #relations(count: number): HTMLElement[] {
    const list = element("ul", { class: "relations" });
    const control = element("div");
    inBatches({
      items: this.#node.edges,
      size: BATCH,
      append: (some) =>
        list.append(
          ...some.map(({ source, target, types }) => {
            const isOut = source === this.#node;
            const other = isOut ? target : source;
            const link = button(clipped(other.name, 80), () => this.#options.select(other), { class: "plain link" });
            const type = element("bdi", { class: "quiet" }, clipped(types.join(", "), 120));
            return element("li", {}, isOut ? "→ " : "← ", type, " ", link);
          }),
        ),
      placeControl: (more) => control.append(more),
    });
    return [element("p", { class: "heading" }, counted(count, "relation")), list, control];
  }
}

const isPartial = (node: GraphNode): boolean =>
  node.observations === undefined || (observationCountOf(node) ?? 0) > node.observations.length;
