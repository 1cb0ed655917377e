// The servers of the demo and the page that lists their views.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { startBuiltServer } from "../built-server.ts";
import { startWebServer, type Call, type Index } from "../web-server.ts";
import { filesystem } from "./filesystem.ts";
import { git } from "./git.ts";
import { memory } from "./memory.ts";
import type { ServerDemo } from "./server-demo.ts";
import { sqlite } from "./sqlite.ts";

export const DEMOS: readonly ServerDemo[] = [sqlite, memory, git, filesystem];

export interface Demo extends AsyncDisposable {
  readonly origin: string;
  readonly links: readonly Link[];
}

interface Link {
  readonly server: string;
  readonly view: string;
  readonly title: string;
  readonly href: string;
}

/** Prepares the data below `folder` and starts everything. */
export async function startDemo(folder: string, port = 0): Promise<Demo> {
  let index: Index = { html: "", calls: {} };
  await using started = new AsyncDisposableStack();
  const web = started.use(await startWebServer(() => index, port));
  const calls: Record<string, Call> = {};
  const links: Link[] = [];
  for (const { server, prepare } of DEMOS) {
    const home = join(folder, server);
    mkdirSync(home);
    const { args, views } = await prepare(home);
    const { url } = started.use(await startBuiltServer(server, [...args, "--allowed-origins", web.origin]));
    for (const { view, title, tool, args: given } of views) {
      const call = { endpoint: url.href, tool, args: given };
      const isFirst = calls[`${server}/${view}`] === undefined;
      calls[`${server}/${view}${isFirst ? "" : `/${tool}`}`] = call;
      links.push({
        server,
        view,
        title: `${server}, ${title}`,
        href: `${web.origin}/?server=${server}&view=${view}${isFirst ? "" : `&tool=${tool}`}`,
      });
    }
  }
  index = { html: indexHtml(links), calls };
  const parts = started.move();
  return { origin: web.origin, links, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

function indexHtml(links: readonly Link[]): string {
  const items = links.map(
    ({ title, href }) =>
      `<li>${title}: <a href="${href}">light</a>, <a href="${href}&amp;theme=dark">dark</a>, <a href="${href}&amp;width=400">narrow</a></li>`,
  );
  return `<h1>Views of the Oarlock servers</h1><ul>${items.join("")}</ul>`;
}
