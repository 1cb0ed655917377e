// What the diff view of the filesystem server says where an edit cannot be applied, or was not.
import { expect, test } from "vitest";
import { applyObstacle, failureText } from "../../../servers/filesystem/views/diff/apply-text.ts";

test("Apply needs a host that calls tools and passes on the etag", () => {
  expect(applyObstacle('"1"', true)).toBe("");
  expect(applyObstacle('"1"', false)).toBe("This host does not let the page apply it.");
  expect(applyObstacle(undefined, true)).toBe("Apply needs the etag of the preview, which this host does not pass on.");
});

test.each([
  ["host", "The user declined the call.", "The edit was declined; the file is unchanged."],
  ["host", "Connection closed", "No result of the edit: it may have been made. Read the file before you try again."],
  ["host", "Request timed out", "No result of the edit: it may have been made. Read the file before you try again."],
  ["tool", "Not done: the user declined: overwrite?", "The edit was declined; the file is unchanged."],
  ["tool", "Access denied", "The edit failed."],
  ["tool", "Not found: rejected.md", "The edit failed."],
] as const)("an error of the %s, %s, is: %s", (source, reason, expected) => {
  expect(failureText(source, reason)).toBe(`${expected} ${reason}`);
});
