// Looking at the rarer kinds of repositories, against git's own plumbing.
import { describe } from "vitest";
import { testSituation, type SituationName } from "./situation-tests.ts";

const KINDS: readonly SituationName[] = [
  "shallow",
  "partial, with what is checked out",
  "a git directory elsewhere inside",
  "a submodule itself",
  "with packed refs and objects",
  "a sparse checkout",
];

describe.each(KINDS)("%s", (kind) => {
  testSituation(kind);
});
