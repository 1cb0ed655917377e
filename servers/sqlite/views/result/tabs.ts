// Tabs: one of several panels is shown; arrow keys change it.
import { element } from "@oarlock/extensions/page";

export class Tabs {
  readonly element: HTMLElement;
  readonly #tabs: readonly HTMLButtonElement[];
  readonly #panels: readonly HTMLElement[];
  readonly #open: (index: number) => void;

  /** `open` is called with the index of the panel that is about to be shown. */
  constructor(label: string, panels: Readonly<Record<string, HTMLElement>>, open: (index: number) => void) {
    this.#open = open;
    this.#panels = Object.values(panels);
    this.#tabs = Object.keys(panels).map((name, index) =>
      element(
        "button",
        { type: "button", role: "tab", id: `tab-${index}`, "aria-controls": `panel-${index}`, onclick: () => this.#show(index) },
        name,
      ),
    );
    this.#panels.forEach((panel, index) => {
      panel.id = `panel-${index}`;
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", `tab-${index}`);
    });
    this.element = element(
      "div",
      { class: "tabs", role: "tablist", "aria-label": label, onkeydown: (event) => this.#key(event as KeyboardEvent) },
      ...this.#tabs,
    ); // by its type
    this.#show(0);
  }

  #show(shown: number): void {
    this.#tabs.forEach((tab, index) => {
      tab.setAttribute("aria-selected", String(index === shown));
      tab.tabIndex = index === shown ? 0 : -1;
    });
    this.#panels.forEach((panel, index) => {
      panel.hidden = index !== shown;
    });
    this.#open(shown);
  }

  #key(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = (this.#tabs.findIndex((tab) => tab === document.activeElement) + step + this.#tabs.length) % this.#tabs.length;
    this.#tabs[next]?.focus();
    this.#show(next);
  }
}
