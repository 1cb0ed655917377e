// describePostgres, describeValkey, describeScrapes: `describe` for suites that are skipped, with the reason, if their engine is missing.
import { describe } from "vitest";
import type { EngineOptions } from "./engine.ts";
import { missingScrapeParser } from "./parse-scrape.ts";
import { missingPostgres } from "./postgres.ts";
import { missingValkey } from "./valkey.ts";

declare module "vitest" {
  interface TaskMeta {
    /** Why the test is skipped. `npm run test:all` prints it in its last lines. */
    skipReason?: string;
  }
}

/** `describe` for tests that need PostgreSQL. Such a suite calls `startPostgres` in `beforeAll`. */
export async function describePostgres(options: EngineOptions = {}): Promise<DescribeEngine> {
  return describeUnless(await missingPostgres(options));
}

/** `describe` for tests that need Valkey or Redis. Such a suite calls `startValkey` in `beforeAll`. */
export async function describeValkey(options: EngineOptions = {}): Promise<DescribeEngine> {
  return describeUnless(await missingValkey(options));
}

/** `describe` for tests that call `parseScrape`. */
export async function describeScrapes(): Promise<DescribeEngine> {
  return describeUnless(await missingScrapeParser());
}

type DescribeEngine = (title: string, body: () => void) => void;

function describeUnless(skipReason: string | undefined): DescribeEngine {
  const options = skipReason === undefined ? {} : { skip: true, meta: { skipReason } };
  return (title, body) => {
    // oxlint-disable-next-line vitest/valid-describe-callback, vitest/valid-title -- the rules know neither options nor passed titles
    describe(title, options, body);
  };
}
