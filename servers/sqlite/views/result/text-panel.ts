// TextPanel: a long text below the grid: the whole of a value, or what could not be copied.
import { button, element, visible } from "@oarlock/extensions/page";

/** Characters that are shown; more would make the page slow. */
const MAX_CHARACTERS = 100_000;

export class TextPanel {
  readonly element: HTMLElement = element("section", { class: "panel", hidden: true });
  /** What had the focus before. */
  #opener: HTMLElement | undefined;

  /** Shows a text from outside. */
  show(title: string, text: string): void {
    const rest = text.length - MAX_CHARACTERS;
    const value = element(
      "pre",
      { class: "mono scroll", tabindex: 0, role: "region", "aria-label": title },
      visible(text.slice(0, MAX_CHARACTERS), "lines"),
    );
    const note = rest > 0 && element("p", { class: "quiet" }, `${rest.toLocaleString("en")} more characters are not shown.`);
    this.#open(title, value, note);
    value.focus();
  }

  /** Shows a text that is selected, for the copy command of the browser. */
  select(title: string, text: string): void {
    const field = element("textarea", { readonly: true, rows: 6, "aria-label": title });
    field.value = text;
    this.#open(title, field);
    field.focus();
    field.select();
  }

  close(): void {
    this.element.hidden = true;
    this.element.replaceChildren();
    this.#opener?.focus();
  }

  #open(title: string, ...content: (Node | false)[]): void {
    if (document.activeElement instanceof HTMLElement && this.element.hidden) this.#opener = document.activeElement;
    const head = element(
      "div",
      { class: "toolbar" },
      element("strong", {}, title),
      button("Close", () => this.close()),
    );
    this.element.replaceChildren(head, ...content.filter((node) => node !== false));
    this.element.hidden = false;
  }
}
