// The tests that every view has to pass, and the parts that its own tests use: one browser and one page server for a file.
import { isLong } from "@oarlock-tooling/test-support/long-tier";
import type { ListeningServer } from "@oarlock-tooling/test-support/server-process";
import type { Browser } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startBuiltServer } from "../../src/built-server.ts";
import { startWebServer, type Look, type WebServer } from "../../src/web-server.ts";
import { launchBrowser, SLOW } from "../../src/harness/browser.ts";
import { openView, type OpenView } from "../../src/harness/open-view.ts";

/** The stateless revision, and a handshake as most hosts begin. */
export const ERAS = [
  { era: "2026-07-28", revision: "2026-07-28" },
  { era: "2025-11-25", revision: undefined },
] as const;

export interface ViewCall {
  tool: string;
  args: Record<string, unknown>;
}

export interface Stage {
  /** Starts the built server over HTTP for this file; the first call counts. `args`: its command line. */
  serve(server: string, args: readonly string[], env?: Record<string, string>): Promise<void>;
  /** Shows the view of a call. */
  show(call: ViewCall, look?: Look): Promise<OpenView>;
  readonly browser: Browser;
  readonly web: WebServer;
  readonly endpoint: string;
}

/** Starts browser and page before the tests of a file, or shares those of another stage, and the server with `serve`; everything ends after them. */
export function viewStage(other?: Stage): Stage {
  vi.setConfig(SLOW);
  let browser: Browser | undefined;
  let web: WebServer | undefined;
  let listening: ListeningServer | undefined;
  beforeAll(async () => {
    if (other === undefined) [browser, web] = await Promise.all([launchBrowser(), startWebServer()]);
  });
  afterAll(async () => {
    await browser?.close();
    await web?.[Symbol.asyncDispose]();
    await listening?.[Symbol.asyncDispose]();
  });
  const started = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error("The stage is not ready: call serve in beforeAll.");
    return part;
  };
  return {
    get browser() {
      return other?.browser ?? started(browser);
    },
    get web() {
      return other?.web ?? started(web);
    },
    get endpoint() {
      return started(listening).url.href;
    },
    async serve(server, args, env = {}) {
      listening ??= await startBuiltServer(server, [...args, "--allowed-origins", this.web.origin], env);
    },
    async show(call, look = {}) {
      const url = this.web.link({ endpoint: started(listening).url.href, ...call }, look);
      return await openView(this.browser, url);
    },
  };
}

interface ViewCase {
  /** Given once the server runs. */
  call(): ViewCall;
  /** Text that the view has to show. */
  shows: string;
}

const [MODERN, LEGACY] = ERAS;
/** Each theme, each width and each era once; with those of the long tier, each theme in each width, and each era with each theme and each width. */
const LOOKS = [
  { ...MODERN, theme: "light", width: 400 },
  { ...LEGACY, theme: "dark", width: 1200 },
  { ...LEGACY, theme: "light", width: 1200 },
  { ...LEGACY, theme: "dark", width: 400 },
  { ...MODERN, theme: "dark", width: 1200 },
] as const;

/** A view in both themes, two widths and both eras: it renders without problems, fits, and is accessible. */
export function everyLook(title: string, stage: Stage, { call, shows }: ViewCase): void {
  describe(`${title} is shown from a real call`, () => {
    test.each(isLong ? LOOKS : LOOKS.slice(0, 2))("$era, $theme, $width pixels", async (look) => {
      await using view = await stage.show(call(), look);
      await view.waitForState("ready");
      await view.waitForText(shows);
      expect(await view.frame.evaluate("document.documentElement.dataset.theme")).toBe(look.theme);
      expect(await view.overflow()).toBe(0);
      expect(await view.frame.evaluate("document.querySelector('main').getAttribute('aria-label')")).toMatch(/^[A-Z]/);
      expect(await view.accessibilityViolations()).toEqual([]);
      expect(await view.problems()).toEqual([]);
    });
  });
}
