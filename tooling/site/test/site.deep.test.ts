// The built site: every link, image and anchor leads somewhere, nothing comes from elsewhere, and it works in a real browser.
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { PAGES } from "../src/pages.ts";
import { fileOf } from "../src/serve.ts";
import { testFirstVisits } from "./support/first-visits.ts";
import { testJourneys } from "./support/journeys.ts";
import { testPlayground } from "./support/playground.ts";
import { SITE, siteStage } from "./support/site-stage.ts";

const stage = siteStage();

const htmlFiles = (): string[] => globSync("**/*.html", { cwd: SITE }).filter((file) => file !== "404.html");
const read = (file: string): string => readFileSync(join(SITE, file), "utf8");
const valuesOf = (html: string, attribute: string, tags: string): string[] =>
  [...html.matchAll(new RegExp(`<(?:${tags})\\b[^>]*?\\s${attribute}="([^"]*)"`, "g"))].map(([, value = ""]) =>
    value.replaceAll("&amp;", "&"),
  );
const idsOf = (html: string): Set<string> => new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id = ""]) => id));

describe("the files", () => {
  test("has each page of the list as HTML and as Markdown", () => {
    for (const { path } of PAGES) {
      const { size } = statSync(join(SITE, `${path}.html`));
      expect(size, path).toBeGreaterThan(1000);
      expect(statSync(join(SITE, `${path}.md`)).size, path).toBeGreaterThan(100);
      if (path !== "index") expect(read("llms.txt")).toContain(`(${path}.md)`);
      expect(read("llms-full.txt")).toContain(readFileSync(join(SITE, `${path}.md`), "utf8").trim());
    }
  });

  test("leads each link to a page and, where it names one, to a heading", () => {
    const wrong = htmlFiles().flatMap((file) => {
      const base = new URL(`http://site/${file}`);
      return valuesOf(read(file), "href", "a").flatMap((href) => {
        const url = new URL(href, base);
        if (url.origin !== base.origin) return [];
        const target = fileOf(SITE, decodeURIComponent(url.pathname));
        if (target === undefined) return [`${file}: ${href}`];
        const id = decodeURIComponent(url.hash.slice(1));
        return id === "" || idsOf(readFileSync(target, "utf8")).has(id) ? [] : [`${file}: ${href}`];
      });
    });
    expect(wrong).toEqual([]);
  });

  test("loads nothing from elsewhere, and gives each image a text", () => {
    for (const file of htmlFiles()) {
      const html = read(file);
      const loaded = [...valuesOf(html, "src", "script|img|source"), ...valuesOf(html, "href", "link")];
      expect(
        loaded.filter((address) => /^(?:https?:)?\/\//.test(address)),
        file,
      ).toEqual([]);
      for (const [image] of html.matchAll(/<img\b[^>]*>/g)) expect(image, file).toMatch(/\salt="[^"]+"/);
    }
  });
});

describe("in a browser", () => {
  testJourneys(stage);
});

describe("the playground", () => {
  testPlayground(stage);
});

describe("first visits", () => {
  testFirstVisits(stage);
});
