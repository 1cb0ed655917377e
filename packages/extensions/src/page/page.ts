/** startView(): the frame of a page around its content: connection, states, announcements. */
import { connectToHost, setState, type Host, type ToolResult } from "../view.ts";
import { element, type Child } from "./elements.ts";
import { textOf } from "./results.ts";
import { describeError, visible } from "./text.ts";

/** The page of one result, for the code of a view. A newer result replaces it: from then on it changes nothing. */
export interface Page {
  readonly host: Host;
  /** Whether the host lets the page call tools of the server. */
  readonly canCallTools: boolean;
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

/** What a view shows, and how it is named. */
export interface ViewOptions {
  /** The accessible name of the page. */
  label: string;
  /** Shows a result. What it throws is shown as a failure. */
  render(result: ToolResult, page: Page): void | Promise<void>;
  /** Called when the theme or the display mode changes. Colors by CSS variables need no call. */
  onAppearance?(): void;
}

type Call = Pick<Page, "args" | "host"> & { readonly isCurrent: () => boolean };

/** Starts the view: waits for the host and renders each result that comes. */
export async function startView({ label, render, onAppearance }: ViewOptions): Promise<void> {
  const frame = new PageFrame(label);
  let args: Page["args"] = {};
  let lastResult = 0;
  const connecting = connectToHost({
    name: document.documentElement.dataset["view"] ?? label,
    version: document.documentElement.dataset["version"] ?? "0",
    onInput: (input) => {
      args = Object.freeze({ ...input });
    },
    onResult: (result) => void showResult(result, args),
    onCancelled: (reason) => {
      lastResult++;
      frame.announce("");
      frame.fail(`The call was cancelled${reason === undefined ? "." : `: ${reason}`}`);
    },
    onContext: () => onAppearance?.(),
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => onAppearance?.());
  const showResult = async (result: ToolResult, ofCall: Page["args"]): Promise<void> => {
    const number = ++lastResult;
    frame.announce("");
    const page = frame.pageOf({ args: ofCall, host: await connecting, isCurrent: () => number === lastResult });
    try {
      if (result.isError === true) page.fail(textOf(result));
      else await render(result, page);
    } catch (error) {
      page.fail(`This result cannot be shown: ${describeError(error)}`);
    }
  };
  const host = await connecting;
  if (!host.connected && lastResult === 0)
    frame.fail("This page shows results of a tool inside a host with MCP Apps. No host has answered.");
}

/** The main region with its heading, and the status line below. */
class PageFrame {
  readonly #main = document.querySelector("main") ?? document.body.appendChild(element("main"));
  readonly #heading: HTMLElement;
  readonly #status = document.body.appendChild(element("p", { class: "status", role: "status" }));

  constructor(label: string) {
    this.#main.setAttribute("aria-label", label);
    this.#heading = element("h1", { class: "hidden-name" }, label);
  }

  announce(message: string): void {
    this.#status.textContent = visible(message);
  }

  fail(message: string): void {
    this.#replace("error", [element("p", { class: "message error", role: "alert" }, visible(message, "lines"))]);
  }

  pageOf({ args, host, isCurrent }: Call): Page {
    const announce = (message: string): void => {
      if (isCurrent()) this.announce(message);
    };
    const replace = (state: "ready" | "empty", content: readonly Child[]): void => {
      if (isCurrent()) this.#replace(state, content);
    };
    return {
      args,
      host,
      canCallTools: host.capabilities.serverTools !== undefined,
      show: (...content) => replace("ready", content),
      empty: (message) => replace("empty", [element("p", { class: "message" }, visible(message))]),
      fail: (message) => {
        if (isCurrent()) this.fail(message);
      },
      announce,
      act(action) {
        action().catch((error: unknown) => announce(describeError(error)));
      },
    };
  }

  #replace(state: "ready" | "empty" | "error", content: readonly Child[]): void {
    this.#main.replaceChildren(this.#heading);
    for (const child of content)
      if (child !== undefined && child !== false) this.#main.append(child instanceof Node ? child : String(child));
    setState(state);
  }
}
