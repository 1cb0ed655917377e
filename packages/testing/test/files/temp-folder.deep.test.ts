import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { needs, nodeCommand, startRaw } from "@oarlock/testing";

test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("removes the folder when %s ends the process", needs("signals"), async (signal) => {
  await using holder = startRaw(nodeCommand(new URL("../fixtures/folder-holder.ts", import.meta.url)));
  const path = await holder.line();
  expect(existsSync(path)).toBe(true);
  holder.kill(signal);
  expect(await holder.exit()).toEqual({ code: null, signal });
  expect(existsSync(path)).toBe(false);
});
