// What the diff view of the filesystem server says where an edit cannot be applied, or was not.
import { expect, test } from "vitest";
import { applyObstacle, failureText } from "../../views/diff/apply-text.ts";

test("disables Apply without a host that calls tools and passes on the etag", () => {
  const preview = { etag: '"1"', isCut: false, unseen: "" };
  expect(applyObstacle(preview, true)).toBe("");
  expect(applyObstacle(preview, false)).toBe("This host does not let the page apply it.");
  expect(applyObstacle({ ...preview, etag: undefined }, true)).toBe(
    "Apply needs the etag of the preview, which this host does not pass on.",
  );
});

test("disables Apply without every change on the page", () => {
  const preview = { etag: '"1"', isCut: false, unseen: "" };
  expect(applyObstacle({ ...preview, isCut: true }, true)).toBe("It cannot be applied here, because the diff is cut.");
  expect(applyObstacle({ ...preview, unseen: "300 of 1,000 rows of the diff are shown." }, true)).toBe(
    "Apply appears when every change is shown. 300 of 1,000 rows of the diff are shown.",
  );
});

test.each([
  ["host", "The user declined the call.", "The edit was declined; the file is unchanged."],
  ["host", "Connection closed", "No result of the edit: it may have been made. Read the file before you try again."],
  ["host", "Request timed out", "No result of the edit: it may have been made. Read the file before you try again."],
  ["tool", "Not done: the user declined: overwrite?", "The edit was declined; the file is unchanged."],
  ["tool", "Access denied", "The edit failed."],
  ["tool", "Not found: rejected.md", "The edit failed."],
] as const)("shows an error of the %s, %s, as: %s", (source, reason, expected) => {
  expect(failureText(source, reason)).toBe(`${expected} ${reason}`);
});
