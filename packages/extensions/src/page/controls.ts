/** Controls with accessible names. */
import { element, type Attributes, type Child } from "./elements.ts";

/** A button. Its name is its text, or `aria-label` where that is given. */
export const button = (label: string, act: (event: Event) => void, attributes: Attributes = {}): HTMLButtonElement =>
  element("button", { type: "button", onclick: act, ...attributes }, label);

/** A labelled list of choices; `change` gets the value of the chosen one. */
export function choice(
  label: string,
  values: Readonly<Record<string, string>>,
  chosen: string,
  change: (value: string) => void,
): HTMLElement {
  const options = Object.entries(values).map(([value, text]) => element("option", { value, selected: value === chosen }, text));
  const select = element("select", { onchange: () => change(select.value) }, ...options);
  return element("label", { class: "field" }, element("span", {}, label), select);
}

/** A labelled field; `change` gets its text, debounced by 120 ms. */
export function searchField(label: string, change: (text: string) => void, attributes: Attributes = {}): HTMLElement {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const input = element("input", {
    type: "search",
    oninput: () => {
      clearTimeout(timer);
      timer = setTimeout(() => change(input.value), 120);
    },
    ...attributes,
  });
  return element("label", { class: "field" }, element("span", {}, label), input);
}

/** A row of controls. */
export const toolbar = (label: string, ...children: readonly Child[]): HTMLElement =>
  element("div", { class: "toolbar", role: "group", "aria-label": label }, ...children);
