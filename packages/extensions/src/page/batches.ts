/** Long lists in batches: the rest appears on request, so that the page stays quick. */
import { button } from "./controls.ts";
import { element } from "./elements.ts";
import { counted } from "./text.ts";

/** A long list, and how its items are drawn. */
export interface Batch<T> {
  readonly items: readonly T[];
  /** Adds elements for some of the items to the container. */
  append(items: readonly T[]): void;
  /** Places the control that shows the next batch. */
  placeControl(control: HTMLElement): void;
  /** Default 200. */
  size?: number;
  /** What the items are, for the name of the control. Default entries. */
  noun?: readonly [singular: string, plural: string];
}

/** Shows the first items, with a control `Show N more` while there are further ones. */
export function inBatches<T>({ items, append, placeControl, size = 200, noun = ["entry", "entries"] }: Batch<T>): void {
  let visibleCount = 0;
  const control = button("", () => show());
  const show = (): void => {
    append(items.slice(visibleCount, visibleCount + size));
    visibleCount = Math.min(visibleCount + size, items.length);
    const rest = items.length - visibleCount;
    control.textContent = `Show ${Math.min(size, rest).toLocaleString("en")} more of ${counted(items.length, ...noun)}`;
    if (rest === 0) showEnd();
  };
  /** The focus of the control stays where it was. */
  const showEnd = (): void => {
    const hadFocus = document.activeElement === control;
    const end = element("span", { class: "hidden-name", tabindex: -1 }, `All ${counted(items.length, ...noun)} are shown.`);
    control.replaceWith(end);
    if (hadFocus) end.focus();
  };
  show();
  if (visibleCount < items.length) placeControl(control);
}
