// The page follows its host: theme and style variables in, size of the content out.
import type { HostContext } from "./host-types.ts";

/** The state of the page, which style sheets and tests read from `<html data-state>`. */
export function setState(state: "loading" | "ready" | "empty" | "error"): void {
  document.documentElement.dataset["state"] = state;
}

/** Applies theme, variables and fonts of the host. */
export function applyContext({ theme, styles }: HostContext): void {
  const { documentElement: root } = document;
  if (theme !== undefined) {
    root.dataset["theme"] = theme;
    root.style.colorScheme = theme;
  }
  if (styles?.variables !== undefined) replaceVariables(root.style, styles.variables);
  const { fonts } = styles?.css ?? {};
  if (fonts === undefined) return;
  const sheet = document.querySelector("style[data-fonts]") ?? document.head.appendChild(document.createElement("style"));
  sheet.setAttribute("data-fonts", "");
  sheet.textContent = fonts;
}

let variableNames: readonly string[] = [];

/** Variables that the host no longer has are removed: those of another theme would stay. */
function replaceVariables(style: CSSStyleDeclaration, variables: Readonly<Record<string, string | undefined>>): void {
  const present = Object.entries(variables).filter(([name, value]) => name.startsWith("--") && value !== undefined);
  for (const name of variableNames) style.removeProperty(name);
  for (const [name, value = ""] of present) style.setProperty(name, value);
  variableNames = present.map(([name]) => name);
}

/** Calls `report` with the height of the content when it has changed, at most once in a frame. The host decides about the width. */
export function watchSize(report: (size: { height: number }) => void): void {
  let last = 0;
  let isQueued = false;
  const measure = (): void => {
    isQueued = false;
    const { body } = document;
    const { marginTop, marginBottom } = getComputedStyle(body);
    const height = Math.ceil(body.getBoundingClientRect().height + Number.parseFloat(marginTop) + Number.parseFloat(marginBottom));
    if (last === height) return;
    last = height;
    report({ height });
  };
  new ResizeObserver(() => {
    if (isQueued) return;
    isQueued = true;
    requestAnimationFrame(measure);
  }).observe(document.body);
}
