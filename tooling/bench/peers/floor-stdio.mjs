// The floor for stdio: read, split at newlines, JSON.parse, answer, JSON.stringify, one write per chunk read. It checks
// nothing and is no server to use, only the limit to measure against.
import { tools } from "../src/tools.js";

const list = JSON.stringify({ tools });
const REVISION = "io.modelcontextprotocol/protocolVersion";
let held = null;
let out = "";

function called({ _meta, arguments: { message } }) {
  const content = [{ type: "text", text: message }];
  return _meta?.[REVISION] === undefined ? { content } : { resultType: "complete", content };
}

function answer(message) {
  let result;
  switch (message.method) {
    case "ping":
      result = "{}";
      break;
    case "initialize":
      result = '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"floor","version":"1.0.0"}}';
      break;
    case "tools/list":
      result = list;
      break;
    case "tools/call":
      result = JSON.stringify(called(message.params));
      break;
    default:
      if (message.id === undefined) return;
      result = "{}";
  }
  out += `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${result}}\n`;
}

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
  if (out !== "") {
    process.stdout.write(out);
    out = "";
  }
});
