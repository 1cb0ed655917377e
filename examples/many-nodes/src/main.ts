/** `pnpm demo:nodes`: three nodes behind a load balancer, and a page that shows where each call runs. */
import { Demo } from "./demo.ts";

const demo = await Demo.start(Number(process.env["PORT"] ?? 3930));
console.log(
  `${demo.cluster.names.length} nodes on ${demo.engineName}. Page: ${demo.origin}/ – endpoint: ${demo.origin}/mcp – Ctrl+C ends it.`,
);
const end = async (): Promise<void> => {
  await demo[Symbol.asyncDispose]();
  process.exit();
};
process.once("SIGINT", () => void end());
process.once("SIGTERM", () => void end());
