// What a backplane says that cannot be opened.
import { postgresBackplane, type PostgresBackplaneOptions } from "../../src/index.ts";

/** The message of the rejection. */
export const refusal = (url: string, options?: PostgresBackplaneOptions): Promise<string> =>
  postgresBackplane(url, options).then(
    async (backplane) => {
      await backplane.close();
      return "opened";
    },
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
