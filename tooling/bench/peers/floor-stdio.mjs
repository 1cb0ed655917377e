// The floor for stdio: read, split at newlines, JSON.parse, answer, JSON.stringify, one write per chunk read. It checks
// nothing and is no server to use, only the limit to measure against.
import { tools } from "../src/tools.js";
import { HELLO, onMessages } from "./floor-frame.mjs";

const list = JSON.stringify({ tools });
const hello = JSON.stringify(HELLO);
const REVISION = "io.modelcontextprotocol/protocolVersion";
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
      result = hello;
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

onMessages(answer, () => {
  if (out === "") return;
  process.stdout.write(out);
  out = "";
});
