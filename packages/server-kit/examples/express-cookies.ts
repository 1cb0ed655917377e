// A server mounted in an app with cookies: app.use("/mcp", mcp) of Express does the same, also after express.json().
// Run: PORT=8080 node express-cookies.ts
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { defineServer, tool } from "@oarlock/server-kit";
import { toNodeHandler } from "@oarlock/server-kit/node";

const sessions = new Map<string, string>();

const whoAmI = tool({
  name: "who_am_i",
  hints: { readOnly: true },
  run: (_input, ctx) => `${ctx.auth?.principal}, by ${ctx.http?.headers["user-agent"] ?? "an unknown client"}`,
});

/** The same login as the pages of the app. */
const mcp = toNodeHandler(defineServer({ name: "app", version: "1.0.0", tools: [whoAmI] }), {
  auth(request) {
    const user = sessions.get(/(?:^|; )sid=([^;]+)/.exec(request.headers.cookie ?? "")?.[1] ?? "");
    return user === undefined ? undefined : { principal: user };
  },
});

async function readJson(request: IncomingMessage & { body?: unknown }): Promise<void> {
  let body = "";
  for await (const text of request.setEncoding("utf8")) body += String(text);
  request.body = body === "" ? undefined : (JSON.parse(body) as unknown);
}

async function app(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url === "/login") {
    const sid = crypto.randomUUID();
    sessions.set(sid, "ada");
    return void response.writeHead(204, { "set-cookie": `sid=${sid}; HttpOnly; SameSite=Strict; Path=/` }).end();
  }
  // A framework may have read the body before: the handler takes it from the request.
  await readJson(request);
  if (request.url === "/mcp") return mcp(request, response);
  response.end("The rest of the app");
}

export const http = createServer((request, response) => {
  app(request, response).catch(() => response.writeHead(400).end());
});
http.on("close", () => void mcp.close());

if (process.argv[1] === import.meta.filename) {
  http.listen(Number(process.env.PORT ?? 8080), "127.0.0.1", () => console.error("listening on", http.address()));
}
