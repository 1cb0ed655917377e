// The frame of the floors over stdio: reads lines, parses each as JSON and hands it on. It checks nothing.

/** Calls `answer` for each message, and `afterChunk` once all messages of a chunk were answered. */
export function onMessages(answer, afterChunk = () => {}) {
  let held = null;
  process.stdin.on("data", (chunk) => {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      if (held === null) answer(JSON.parse(chunk.utf8Slice(from, end)));
      else {
        held.push(chunk.subarray(from, end));
        answer(JSON.parse(Buffer.concat(held).toString()));
        held = null;
      }
      from = end + 1;
    }
    if (from < chunk.length) (held ??= []).push(chunk.subarray(from));
    afterChunk();
  });
}

export const HELLO = { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "floor", version: "1.0.0" } };

const asContent = (text) => ({ content: [{ type: "text", text }] });

/** Serves functions that return a text, or the promise of one, as tools. `toResult` makes the result of a call. */
export function serveTools(tools, toResult = asContent) {
  const list = { tools: Object.keys(tools).map((name) => ({ name, inputSchema: { type: "object" } })) };
  const send = (id, result) => process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(result)}}\n`);
  onMessages(({ id, method, params }) => {
    if (id === undefined) return;
    if (method === "tools/call") {
      const text = tools[params.name](params.arguments);
      if (typeof text === "string") send(id, toResult(text));
      else void text.then((content) => send(id, toResult(content)));
    } else send(id, method === "initialize" ? HELLO : method === "tools/list" ? list : {});
  });
}
