/** `npm run demo`: installs, builds, and shows the servers at work. */
import { build, install, run } from "./steps.mjs";

const ok = (await install()) && (await build()) && (await run("demo", "node tooling/demo/src/demo.ts"));
process.exitCode = ok ? 0 : 1;
