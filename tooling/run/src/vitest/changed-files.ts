/** For `vitest --changed`: the files whose tests a change needs. */
import type { VCSProvider } from "vitest/node";
import { changeSince } from "../changed.ts";

export default {
  async findChangedFiles({ changedSince }) {
    const { files, tests } = changeSince(String(changedSince));
    return [...files, ...tests];
  },
} satisfies VCSProvider;
