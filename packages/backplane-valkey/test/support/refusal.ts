// What a backplane says that cannot be opened.
import { valkeyBackplane } from "../../src/index.ts";

/** The message of the rejection. */
export const refusal = (url: string): Promise<string> =>
  valkeyBackplane(url).then(
    async (backplane) => {
      await backplane.close();
      return "opened";
    },
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
