/** Elements of attributes and text nodes: text from outside is never parsed as markup. */

export type Child = Node | string | number | false | undefined;

type Handler = (event: Event) => void;

/** A function under `onclick` and the like becomes a listener; `true` an empty attribute; `false` and `undefined` leave it out. */
export type Attributes = Record<string, string | number | boolean | Handler | undefined>;

/** An HTML element: `element("button", { onclick: next, "aria-label": "Next" }, "Next")`. */
export function element<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[T] {
  const created = document.createElement(tag);
  fill(created, attributes, children);
  return created;
}

/** An SVG element. */
export function svg<T extends keyof SVGElementTagNameMap>(
  tag: T,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[T] {
  const created = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(created, attributes, children);
  return created;
}

function fill(created: Element, attributes: Attributes, children: readonly Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") created.addEventListener(name.replace(/^on/, ""), value);
    else created.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) {
    if (child === undefined || child === false) continue;
    created.append(child instanceof Node ? child : String(child)); // append() makes a text node of a string
  }
}
