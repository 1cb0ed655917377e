/** `npm test` and `npm run test:all`: installs on the Node of the machine; everything else runs on the Node that this installs. */
import { install, run } from "./steps.mjs";

if (await install()) {
  const ok = await run("test", ["node", "tooling/run/src/main.ts", ...process.argv.slice(2)].join(" "));
  process.exitCode = ok ? 0 : 1;
} else {
  console.log("\n0 passed, 1 failed");
  process.exitCode = 1;
}
