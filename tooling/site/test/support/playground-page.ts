// The playground as a user works with it.
import type { Browser, Page } from "puppeteer-core";
import type { ServedSite } from "../../src/serve.ts";
import { openPage } from "./site-page.ts";

export class Playground {
  readonly page: Page;
  readonly problems: readonly string[];

  constructor(page: Page, problems: readonly string[]) {
    this.page = page;
    this.problems = problems;
  }

  async choose(example: string, revision: string): Promise<void> {
    await this.#select("Example", example);
    await this.#select("Revision", revision);
  }

  /** Runs the code; resolves with the result, the elicitation or the problem. */
  async run(): Promise<string> {
    await this.page.click(".playground .run");
    return this.#outcome();
  }

  async send(method: string): Promise<string> {
    await this.#select("Method", method);
    await this.page.click('.request-form [type="submit"]');
    return this.#outcome();
  }

  async answer(button: "Accept" | "Decline"): Promise<string> {
    await this.page.locator(`.elicitation-form ::-p-aria([name="${button}"][role="button"])`).click();
    return this.#outcome();
  }

  /** As by the keyboard: everything is selected and replaced. */
  async replaceCode(code: string): Promise<void> {
    await this.page.click(".playground .cm-content");
    await this.page.keyboard.down("Control");
    await this.page.keyboard.press("a");
    await this.page.keyboard.up("Control");
    await this.page.keyboard.sendCharacter(code);
  }

  textOf(selector: string): Promise<string> {
    return this.page.$eval(`.playground ${selector}`, (element) => element.textContent ?? "");
  }

  async #select(label: string, option: string): Promise<void> {
    const select = await this.page.waitForSelector(`.playground ::-p-aria([name="${label}"][role="combobox"])`);
    const value = await select!.$$eval(
      "option",
      (options, text) => options.find((one) => one.textContent === text)?.getAttribute("value"),
      option,
    );
    await select!.select(value ?? option);
  }

  async #outcome(): Promise<string> {
    const element = await this.page.waitForSelector(".playground :is(.result, .problem, .elicitation-form)");
    return element!.evaluate((found) => found.textContent ?? "");
  }
}

export async function openPlayground(browser: Browser, site: ServedSite): Promise<Playground> {
  const { page, problems } = await openPage(browser, site, "/playground");
  await page.waitForSelector(".playground .run");
  return new Playground(page, problems);
}
