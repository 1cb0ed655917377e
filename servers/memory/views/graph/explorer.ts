// Explorer: a graph as a picture with controls, and as a list; entities can be selected and expanded.
import { button, callTool, clipped, counted, element, structuredOf, toolbar, type Page } from "@oarlock/extensions/page";
import { CanvasPicture } from "./canvas-picture.ts";
import { EntityList } from "./entity-list.ts";
import { Graph, MAX_NODES, type GraphNode, type Relation, type ReplyEntity } from "./graph.ts";
import { Kinds } from "./kinds.ts";
import { Layout } from "./layout.ts";
import type { Picture, Scene } from "./picture.ts";
import type { GraphReply } from "./reply.ts";
import { SvgPicture } from "./svg-picture.ts";
import { Viewport } from "./viewport.ts";

/** With more entities the picture is a canvas. */
const MAX_SVG_NODES = 300;
const ZOOM = 1.4;

/** As view_neighbours returns it. */
interface Expansion {
  nodes: ReplyEntity[];
  relations: Relation[];
  total: number;
  next?: number;
}

export class Explorer implements Scene {
  readonly graph = new Graph();
  readonly kinds = new Kinds();
  readonly viewport = new Viewport();
  readonly element: HTMLElement;
  selected: GraphNode | undefined;
  readonly #page: Page;
  readonly #asOf: string | undefined;
  readonly #layout = new Layout(this.graph, () => this.#drawFollowing());
  readonly #list: EntityList;
  readonly #stage = element("div", { class: "stage" });
  readonly #summary = element("p", { class: "quiet", tabindex: -1 });
  #picture: Picture | undefined;
  #total: GraphReply["total"] = {};

  constructor(page: Page) {
    const { asOf } = page.args;
    this.#page = page;
    this.#asOf = typeof asOf === "string" ? asOf : undefined;
    this.#list = new EntityList({
      page,
      asOf: this.#asOf,
      kinds: this.kinds,
      select: (node) => this.select(node),
      expand: (node) => page.act(() => this.#expand(node)),
      changed: () => this.#refresh(),
    });
    this.element = element("div", { class: "explorer" }, this.#stage, this.#list.element);
    new ResizeObserver(() => this.#measure()).observe(this.#stage);
  }

  get isSettled(): boolean {
    return this.#layout.isSettled;
  }

  /** No further entity of the reply can be added. */
  get isFull(): boolean {
    return this.graph.nodes.length >= Math.min(MAX_NODES, this.#total.entities ?? MAX_NODES);
  }

  get summary(): HTMLElement {
    return this.#summary;
  }

  get controls(): HTMLElement {
    const control = (label: string, text: string, act: () => void): HTMLElement =>
      button(
        text,
        () => {
          act();
          this.#picture?.draw();
        },
        { "aria-label": label },
      );
    return toolbar(
      "Picture",
      control("Zoom in", "+", () => this.viewport.zoom(ZOOM)),
      control("Zoom out", "−", () => this.viewport.zoom(1 / ZOOM)),
      control("Show all", "Show all", () => this.viewport.fit(this.graph.nodes)),
    );
  }

  /** Shows a reply, or adds one to what is shown. */
  add({ entities, relations, total }: Pick<GraphReply, "entities" | "relations" | "total">): void {
    this.#total = { ...this.#total, ...total };
    this.graph.add(entities, relations);
    this.#refresh();
    this.#layout.start();
  }

  /** Adds the relations that the server has among the entities. */
  async completeRelations(): Promise<void> {
    if (!this.#page.canCallTools) return;
    const names = this.graph.nodes.map(({ name }) => name);
    const result = structuredOf(await callTool(this.#page.host, "view_relations", { names, ...this.#time() }));
    const { relations, truncated } = result as unknown as { relations: Relation[]; truncated: boolean }; // checked by the server
    const added = this.graph.add([], relations).relations;
    if (truncated) this.#page.announce("More relations exist than one reply holds. Some are not shown.");
    if (added === 0) return;
    this.#refresh();
    this.#layout.start();
  }

  select(node: GraphNode): void {
    this.selected = node;
    this.#list.open(node, true);
    this.viewport.reveal(node);
    this.#picture?.draw();
  }

  /** Shows the details of an entity of the reply from the start, without a call of a tool. */
  selectFirst(names: readonly string[]): void {
    const node = names.flatMap((name) => this.graph.get(name) ?? []).find(({ observations }) => observations !== undefined);
    if (node === undefined) return;
    this.selected = node;
    this.#list.open(node, false);
    this.#picture?.draw();
  }

  /** Draws with the colors of the current theme. */
  redraw(): void {
    this.#picture?.update();
    this.#picture?.draw();
  }

  async #expand(node: GraphNode): Promise<void> {
    const shown = clipped(node.name, 60);
    const args = { entityName: node.name, skip: node.expanded, ...this.#time() };
    const result = structuredOf(await callTool(this.#page.host, "view_neighbours", args));
    const { nodes, relations, total, next } = result as unknown as Expansion; // checked by the server against its output schema
    const added = this.graph.add(nodes, relations, node);
    node.expanded = next ?? 0;
    this.#refresh();
    if (added.entities + added.relations > 0) this.#layout.start(this.graph.nodes.length > MAX_SVG_NODES ? 0.3 : 0.6);
    const news = `${counted(added.entities, "entity", "entities")} and ${counted(added.relations, "relation")} added around ${shown}.`;
    const rest = next === undefined ? "" : ` It has ${counted(total - next, "further relation")}: expand it again.`;
    const full = added.leftOut === 0 ? "" : ` ${counted(added.leftOut, "relation")} left out: the picture is full.`;
    const isNothing = added.entities + added.relations + added.leftOut + (next ?? 0) === 0;
    this.#page.announce(isNothing ? `Nothing else is related to ${shown}.` : news + full + rest);
  }

  #time(): { asOf?: string } {
    return this.#asOf === undefined ? {} : { asOf: this.#asOf };
  }

  #refresh(): void {
    this.kinds.update(this.graph.nodes);
    this.#list.update(this.graph.nodes);
    this.#summary.textContent = this.#describe();
    const isLarge = this.graph.nodes.length > MAX_SVG_NODES;
    if (this.#picture === undefined || isLarge !== this.#picture instanceof CanvasPicture) {
      this.#picture = isLarge ? new CanvasPicture(this) : new SvgPicture(this);
      this.#stage.replaceChildren(this.#picture.element);
    } else this.#picture.update();
    this.#picture.draw();
  }

  #describe(): string {
    const { nodes, relationCount, leftOut } = this.graph;
    const part = (count: number, total = 0): string => (total > count ? `${count.toLocaleString("en")} of ` : "");
    const { entities = nodes.length, relations = relationCount } = this.#total;
    const shown = `${part(nodes.length, entities)}${counted(Math.max(entities, nodes.length), "entity", "entities")}, ${part(relationCount, relations)}${counted(Math.max(relations, relationCount), "relation")}`;
    const time = this.#asOf === undefined ? "" : ` as of ${clipped(this.#asOf, 40)}`;
    const missing = this.isFull ? Math.max(leftOut.entities, entities - nodes.length) : leftOut.entities;
    const beyond = [
      ...(missing > 0 ? [counted(missing, "entity", "entities")] : []),
      ...(leftOut.relations > 0 ? [counted(leftOut.relations, "relation")] : []),
    ];
    return beyond.length === 0
      ? `${shown}${time}.`
      : `${shown}${time}. Left out: ${beyond.join(" and ")}, because the picture has at most ${MAX_NODES.toLocaleString("en")} entities and 6,000 relations.`;
  }

  #measure(): void {
    const { clientWidth, clientHeight } = this.#stage;
    if (clientWidth === 0 || (clientWidth === this.viewport.width && clientHeight === this.viewport.height)) return;
    [this.viewport.width, this.viewport.height] = [clientWidth, clientHeight];
    this.#drawFollowing();
  }

  #drawFollowing(): void {
    this.viewport.follow(this.graph.nodes);
    this.#picture?.draw();
  }
}
