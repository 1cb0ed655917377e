// A form: a repository in an odd state, such as without commits, with two roots, with damaged objects or a sparse checkout.
import type { TempFolder } from "@oarlock/testing";
import type { TestRepository } from "../support/repository.ts";

export interface Form {
  /** Undefined where this git cannot make it. */
  readonly make: (folder: TempFolder) => TestRepository | undefined;
  /** Why tools may refuse it. Without it every reply equals what git prints. */
  readonly refuses?: RegExp;
  /** Where several repositories belong together, below this folder. */
  readonly root?: string;
}
