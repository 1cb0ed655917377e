/** `pnpm check`: runs every script `check:…` of package.json to its end and lists those that failed. */
import { manifest, run } from "./steps.mjs";

const failed = [];
for (const [name, command] of Object.entries(manifest.scripts))
  if (name.startsWith("check:") && (await run(name, command)) !== 0) failed.push(name);

console.log(failed.length === 0 ? "\nAll checks passed." : `\nFailed: ${failed.join(", ")}.`);
process.exitCode = failed.length === 0 ? 0 : 1;
