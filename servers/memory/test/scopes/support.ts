// A memory server over HTTP with users, and what each user's client has received.
import { connect, type Client } from "@oarlock/client";
import { serveHttp } from "@oarlock/server-kit/node";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { locate } from "../../src/configured-location.ts";
import { createServer, type Options } from "../../src/server.ts";
import { dbOf } from "../support/store-under-test.ts";

export interface User extends AsyncDisposable {
  readonly client: Client;
  /** All bytes of the server's responses. */
  received(): string;
}

export interface Service extends AsyncDisposable {
  readonly folder: TempFolder;
  readonly warnings: readonly string[];
  /** Connects with a token that names this user. */
  user(name: string, revision?: string): Promise<User>;
}

export async function serveUsers(options: Partial<Options> = {}): Promise<Service> {
  const folder = tempFolder();
  const warnings: string[] = [];
  const location = locate(dbOf(folder.at("m.db")), {});
  const server = createServer({ location, scope: "principal", warn: (message) => void warnings.push(message), ...options });
  const auth = { check: async (token: string) => ({ principal: `https://login.example sub:${token}`, scopes: ["*"], claims: {} }) };
  const http = await serveHttp(server, { port: 0, auth, graceMs: 0 });
  return {
    folder,
    warnings,
    user: (name, revision) => connectUser(http.url, name, revision),
    async [Symbol.asyncDispose]() {
      await http.stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function connectUser(url: URL | string, name: string, revision = "2026-07-28"): Promise<User> {
  let received = "";
  const client = await connect(
    {
      url: new URL(url),
      fetch: async (input, init) => {
        const request = new Request(input, init);
        request.headers.set("authorization", `Bearer ${name}`);
        const response = await fetch(request);
        if (response.body === null) return response;
        const decoder = new TextDecoder();
        const recorded = response.body.pipeThrough(
          new TransformStream<Uint8Array, Uint8Array>({
            transform(chunk, controller) {
              received += decoder.decode(chunk, { stream: true });
              controller.enqueue(chunk);
            },
          }),
        );
        return new Response(recorded, response);
      },
    },
    { revision, cache: false, elicit: () => ({ action: "accept", content: { confirm: true } }) },
  );
  return { client, received: () => received, [Symbol.asyncDispose]: () => client.close() };
}
