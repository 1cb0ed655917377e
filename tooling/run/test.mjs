/** `npm test`, `npm run test:all` and `npm run test:changed`: installs on the Node of the machine; everything else runs on the Node that this installs. */
import { install, run } from "./steps.mjs";

const installed = await install();
const code = installed === 0 ? await run("test", ["node", "tooling/run/src/main.ts", ...process.argv.slice(2)].join(" ")) : 1;
// The run itself ends with 0 or 1 and has printed its last line then.
if (installed !== 0 || (code !== 0 && code !== 1)) console.log("\n0 passed, 1 failed");
process.exitCode = code ?? 1;
