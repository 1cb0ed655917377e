// The site's configuration. https://vitepress.dev/reference/site-config
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { emptyHeadersToCells } from "../src/empty-headers.ts";
import { slugOf } from "../src/slug.ts";
import { SECTIONS } from "../src/pages.ts";

const inPlayground = (file: string): string => fileURLToPath(new URL(`../src/playground/${file}`, import.meta.url));

const linkOf = (path: string): string => `/${path.replace(/(^|\/)index$/, "$1")}`;

export default defineConfig({
  title: "Oarlock",
  description: "Model Context Protocol servers for files, git, SQLite and memory, and the kit to build your own",
  lang: "en",
  srcDir: "content",
  outDir: "dist",
  cacheDir: "node_modules/.cache/vitepress",
  cleanUrls: true,
  markdown: {
    // The usual themes show comments and keywords too faintly on the background of code.
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    anchor: { slugify: slugOf },
    toc: { slugify: slugOf },
    config: (markdown) => markdown.core.ruler.push("empty-headers", emptyHeadersToCells),
  },
  vite: {
    build: { target: "es2022" },
    // The bundler of this Vite does not know the target of the repository's tsconfig.
    esbuild: { tsconfigRaw: { compilerOptions: { target: "es2022" } } },
    resolve: {
      conditions: ["oarlock-source"],
      // Modules of Node that the client imports.
      alias: [
        { find: "node:timers/promises", replacement: inPlayground("platform/timers-promises.ts") },
        { find: /^(?:node:child_process|@oarlock\/domain-kit)$/, replacement: inPlayground("platform/commands.ts") },
        // The messages of zod in 60 languages are a third of the worker.
        { find: /^\.\.\/locales\/index\.js$/, replacement: inPlayground("platform/zod-locales.ts") },
      ],
    },
    worker: { format: "es" },
  },
  themeConfig: {
    search: { provider: "local" },
    nav: [
      { text: "Servers", link: "/servers/filesystem" },
      { text: "Guide", link: "/guide/" },
      { text: "Client", link: "/client" },
      { text: "Protocol", link: "/protocol" },
    ],
    sidebar: SECTIONS.map(({ title, pages }) => ({
      text: title,
      items: pages.map((page) => ({ text: page.title, link: linkOf(page.path) })),
    })),
    outline: [2, 3],
    socialLinks: [{ icon: "github", link: "https://github.com/oarlock/oarlock" }],
    footer: { message: "MIT licence" },
  },
});
