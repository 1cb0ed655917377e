// Serves the test embedding as a process of its own, for benchmarks: node src/embeddings-endpoint.ts [PORT]. Prints its address.
import { EmbeddingsServer } from "../../../servers/memory/test/addons/embeddings/support/embeddings-server.ts";

const [port = "0"] = process.argv.slice(2);
const server = await new EmbeddingsServer().start(Number(port));
process.stdout.write(`${server.address}\n`);
