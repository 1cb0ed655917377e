// Engines that environment variables name.
import { afterEach, expect, test, vi } from "vitest";
import { missingPostgres, missingValkey, startPostgres, startValkey } from "../src/index.ts";

afterEach(() => vi.unstubAllEnvs());

test.each([
  ["OARLOCK_TEST_POSTGRES", startPostgres, missingPostgres],
  ["OARLOCK_TEST_VALKEY", startValkey, missingValkey],
] as const)("%s names a running engine, which is never paused or ended", async (variable, start, missing) => {
  vi.stubEnv(variable, "valkey://engine.example:6379");
  expect(await missing()).toBeUndefined();
  const engine = await start();
  expect(engine.url).toBe("valkey://engine.example:6379");
  await expect(engine.pause()).rejects.toThrow(variable);
  await engine.stop();
});
