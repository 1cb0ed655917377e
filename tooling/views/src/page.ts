/** startView(): the frame of a page around its content: connection, states, announcements. */
import { connectToHost, setState, type Host, type HostContext, type ToolResult } from "@oarlock/server-kit/view";
import { element, type Child } from "./elements.ts";
import { textOf } from "./results.ts";
import { visible } from "./text.ts";

/** The page, for the code of a view. */
export interface Page {
  readonly main: HTMLElement;
  readonly host: Host;
  /** The arguments of the call that is shown. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Replaces the content of the page. State: `ready`. */
  show(...content: readonly Child[]): void;
  /** Shows that there is nothing to see. State: `empty`. */
  empty(message: string): void;
  /** Shows a failure. State: `error`. */
  fail(message: string): void;
  /** Announces a short message below the content, and to screen readers. */
  announce(message: string): void;
  /** Runs the action of a control; a failure is announced. */
  act(action: () => Promise<void>): void;
}

export interface ViewOptions {
  /** The accessible name of the page. */
  label: string;
  /** Shows a result. What it throws is shown as a failure. */
  render(result: ToolResult, page: Page): void | Promise<void>;
  /** Called when theme, display mode and the like change. Colours by CSS variables need no call. */
  onContext?(context: HostContext): void;
}

/** Starts the view: waits for the host and renders each result that comes. */
export async function startView({ label, render, onContext }: ViewOptions): Promise<void> {
  const main = document.querySelector("main") ?? document.body.appendChild(element("main"));
  main.setAttribute("aria-label", label);
  const heading = element("h1", { class: "hidden-name" }, label);
  const status = document.body.appendChild(element("p", { class: "status", role: "status" }));
  const replace = (state: "ready" | "empty" | "error", ...content: readonly Child[]): void => {
    main.replaceChildren(heading);
    main.append(
      ...content.flatMap((child) => (child === undefined || child === false ? [] : [child instanceof Node ? child : String(child)])),
    );
    setState(state);
  };
  const announce = (message: string): void => {
    status.textContent = visible(message);
  };
  const page = {
    main,
    args: {} as Record<string, unknown>,
    show: (...content: readonly Child[]) => replace("ready", ...content),
    empty: (message: string) => replace("empty", element("p", { class: "message" }, visible(message))),
    fail: (message: string) => replace("error", element("p", { class: "message error", role: "alert" }, visible(message, "lines"))),
    announce,
    act(action: () => Promise<void>) {
      action().catch((error: unknown) => announce(describe(error)));
    },
  };
  const connecting = connectToHost({
    name: document.documentElement.dataset["view"] ?? label,
    version: document.documentElement.dataset["version"] ?? "0",
    onInput: (args) => {
      page.args = args;
    },
    onResult: (result) => void showResult(result),
    onCancelled: (reason) => page.fail(`The call was cancelled${reason === undefined ? "." : `: ${reason}`}`),
    ...(onContext !== undefined && { onContext }),
  });
  const showResult = async (result: ToolResult): Promise<void> => {
    try {
      const host = await connecting;
      if (result.isError === true) page.fail(textOf(result));
      else await render(result, Object.assign(page, { host }));
    } catch (error) {
      page.fail(`This result cannot be shown: ${describe(error)}`);
    }
  };
  const host = await connecting;
  if (!host.connected) page.fail("This page shows results of a tool inside a host with MCP Apps. No host has answered.");
}

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error));
