/** `npm run demo`: installs, builds, and shows the servers at work. */
import { install, run, runScript } from "./steps.mjs";

const ok = (await install()) === 0 && (await runScript("build")) === 0 && (await run("demo", "node tooling/demo/src/demo.ts")) === 0;
process.exitCode = ok ? 0 : 1;
