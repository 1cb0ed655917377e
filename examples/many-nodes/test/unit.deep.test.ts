/** The unit under systemd's own judgement of its walls. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ANALYZE = "systemd-analyze";
const unit = fileURLToPath(new URL("../oarlock.service", import.meta.url));
/** From 0, which reaches nothing, to 10. docs/operate.md names it. */
const EXPOSURE = "1.1";

const skipReason = spawnSync(ANALYZE, ["--version"]).status === 0 ? undefined : `${ANALYZE} is not installed`;

test("exposes the machine as little as docs/operate.md says", skipReason === undefined ? {} : { skip: true, meta: { skipReason } }, () => {
  const { stdout } = spawnSync(ANALYZE, ["security", "--offline=true", "--no-pager", unit], { encoding: "utf8" });
  expect(/Overall exposure level for oarlock\.service: (\S+)/.exec(stdout)?.[1]).toBe(EXPOSURE);
});
