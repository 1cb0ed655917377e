/** The bytes of requests, made once and sent many times. */

const line = (name: string, value: string): string => `${name}: ${value}\r\n`;

/** A message to the server. `headers` are whole lines. */
export function post(port: number, message: object, headers = ""): Buffer {
  const body = Buffer.from(JSON.stringify(message));
  const head = line("content-type", "application/json") + line("accept", "application/json, text/event-stream");
  return Buffer.concat([Buffer.from(start("POST", port, headers + head + line("content-length", String(body.length)))), body]);
}

/** A request for the stream of a session. */
export const get = (port: number, headers: string): Buffer =>
  Buffer.from(start("GET", port, headers + line("accept", "text/event-stream")));

/** The end of a session. */
export const remove = (port: number, headers: string): Buffer => Buffer.from(start("DELETE", port, headers));

const start = (method: string, port: number, headers: string): string =>
  `${method} /mcp HTTP/1.1\r\n${line("host", `127.0.0.1:${port}`)}${headers}\r\n`;
