/** Tests what is said of a port that the system refuses. */
import { expect, test } from "vitest";
import { portRefusal } from "../src/start/port-refusal.ts";

test("names ports of the administrator on POSIX, and reserved ranges on Windows", () => {
  expect(portRefusal(80, "--port", "linux")).toEqual({
    problem: "Port 80 is not allowed for this user.",
    remedy: "Choose a port above 1023 with --port.",
  });
  const { problem, remedy } = portRefusal(3920, "--ops-port", "win32");
  expect(problem).toContain("reserved by Windows");
  expect(remedy).toMatch(/--ops-port.*excludedportrange/);
  expect(remedy).not.toContain("1023");
});
