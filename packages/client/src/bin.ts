#!/usr/bin/env node
// oarlock-client: lists, calls, reads, prompts, listens and logs in, on a terminal. See --help.

const OLDEST_NODE = 22;

if (Number(process.versions.node.split(".")[0]) < OLDEST_NODE) {
  process.stderr.write(
    `Error: oarlock-client does not run on Node ${process.versions.node}. Install a current Node ${OLDEST_NODE} or later.\n`,
  );
  process.exitCode = 1;
} else {
  const interrupt = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interrupt.abort(new Error("Interrupted")));
  // A reader such as `head` may close the pipe early.
  process.stdout.on("error", () => undefined);
  const { run } = await import("./command/run.ts");
  process.exitCode = await run(process.argv.slice(2), interrupt.signal);
}
