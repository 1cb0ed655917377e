// Tools for each user: everyone logged in may read, only editors see and call the tools that write.
// Run: PORT=3920 node per-user-tools.ts
import type { IncomingMessage } from "node:http";
import { defineServer, tool, ToolError, type Middleware } from "@oarlock/server-kit";
import { serveHttp, type AppLogin } from "@oarlock/server-kit/node";
import * as z from "zod";

/** The users of the app, by their session. */
const users = new Map([
  ["s-ada", { name: "ada", isEditor: true }],
  ["s-bob", { name: "bob", isEditor: false }],
]);
const pages = new Map([["home", "Welcome"]]);

const read = tool({
  name: "read_page",
  input: z.object({ page: z.string() }),
  hints: { readOnly: true },
  run({ page }, ctx) {
    const text = pages.get(page);
    if (text === undefined) throw new ToolError(`No page ${page}. There are: ${[...pages.keys()].join(", ")}.`);
    return `${text} (read by ${ctx.auth?.principal})`;
  },
});

const write = tool({
  name: "write_page",
  input: z.object({ page: z.string(), text: z.string() }),
  run({ page, text }) {
    pages.set(page, text);
    return "Written.";
  },
});

/** What a user does not see in the list cannot be called either. */
const editorsWrite: Middleware = {
  list: (items, ctx) => items.filter(({ name }) => name !== "write_page" || ctx.auth?.claims.isEditor === true),
};

export const createServer = () => defineServer({ name: "pages", version: "1.0.0", tools: [read, write], use: [editorsWrite] });

/** The caller of a request, by the cookie of the app. */
export const auth: AppLogin<IncomingMessage> = ({ headers }) => {
  const user = users.get(/(?:^|; )session=([^;]+)/.exec(headers.cookie ?? "")?.[1] ?? "");
  return user && { principal: user.name, claims: { isEditor: user.isEditor } };
};

if (process.argv[1] === import.meta.filename) {
  const { url } = await serveHttp(createServer(), { port: Number(process.env.PORT ?? 3920), auth });
  console.error(`listening on ${url}`);
}
