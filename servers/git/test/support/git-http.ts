// Git's own HTTP server (git http-backend) on a free port of the loopback.
import { spawn } from "node:child_process";
import { createServer } from "node:http";

export interface GitHttp {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves every repository below `folder`, for reading and pushing; with `signIn` (`name:password`) only to who gives it. */
export async function serveGit(folder: string, signIn?: string): Promise<GitHttp> {
  const server = createServer((request, response) => {
    if (signIn !== undefined && request.headers.authorization !== `Basic ${Buffer.from(signIn).toString("base64")}`)
      return void response.writeHead(401, { "WWW-Authenticate": 'Basic realm="git"' }).end();
    const { pathname, search } = new URL(request.url ?? "/", "http://localhost");
    const backend = spawn("git", ["http-backend"], {
      env: {
        PATH: process.env["PATH"] ?? "",
        GIT_PROJECT_ROOT: folder,
        GIT_HTTP_EXPORT_ALL: "1",
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_CONFIG_GLOBAL: "/dev/null",
        REQUEST_METHOD: request.method ?? "GET",
        PATH_INFO: decodeURIComponent(pathname),
        QUERY_STRING: search.slice(1),
        CONTENT_TYPE: request.headers["content-type"] ?? "",
        REMOTE_USER: "ada",
        REMOTE_ADDR: "127.0.0.1",
        ...(request.headers["content-encoding"] !== undefined && { HTTP_CONTENT_ENCODING: request.headers["content-encoding"] }),
        ...(typeof request.headers["git-protocol"] === "string" && { GIT_PROTOCOL: request.headers["git-protocol"] }),
      },
    });
    request.pipe(backend.stdin);
    let head: Buffer | undefined = Buffer.alloc(0);
    backend.stdout.on("data", (chunk: Buffer) => {
      if (head === undefined) return void response.write(chunk);
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf("\r\n\r\n");
      if (end === -1) return;
      let status = 200;
      for (const line of head.toString("latin1", 0, end).split("\r\n")) {
        const [name = "", value = ""] = line.split(": ");
        if (name.toLowerCase() === "status") status = Number(value.slice(0, 3));
        else response.setHeader(name, value);
      }
      response.writeHead(status);
      response.write(head.subarray(end + 4));
      head = undefined;
    });
    backend.stdin.on("error", () => {});
    backend.on("close", () => response.end());
  });
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
