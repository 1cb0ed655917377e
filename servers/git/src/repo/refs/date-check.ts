// Checks dates before git reads them: git takes a text that is not a date for the present time, without an error.
import { clip } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";
import { environmentWithoutRepository } from "../process/environment.ts";
import type { GitContext } from "../process/git-process.ts";
import { runRead } from "../process/read-command.ts";

/** Every word that git understands in a date; it skips any other one without a word. */
const WORDS: ReadonlySet<string> = new Set(
  [
    "january february march april may june july august september october november december",
    "jan feb mar apr jun jul aug sep sept oct nov dec",
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun",
    "second seconds minute minutes hour hours day days week weeks month months year years",
    "one two three four five six seven eight nine ten last",
    "now never today yesterday noon midnight tea am pm ago",
    "at on of the and st nd rd th t z",
    "utc gmt ut wet west bst cet cest met mest eet eest msk ist jst hst akst akdt pst pdt mst mdt cst cdt est edt ast adt nst ndt",
  ].flatMap((words) => words.split(" ")),
);

const ISO_DATE = /(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/;
const ISO_TIME = /(?<!\d)(\d{1,2}):(\d{2})(?::(\d{2}))?/;
/** A number of seconds since 1970 has 9 to 11 digits: a longer one is of milliseconds, and git skips a shorter one. */
const NOT_SECONDS = /\d{12}|^\s*\d{5,8}\s*$/;
/** For a pattern. */
export const WEEKDAY = "(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?";
/** Weeks, days of a year and hours without minutes, which git skips, as it does a weekday without "last". */
const SKIPPED = new RegExp(String.raw`\d{4}-?W\d|^\s*\d{4}-\d{3}\s*$|\dT\d{1,2}(?![:\d])|^\s*(?:on )?${WEEKDAY}\s*$`, "i");
/** Not a word of older versions of git, which take it for the present time, as newer ones do. */
const TODAY = /^today$/i;
/** git understands this form in every version. */
const PLAIN_ISO = /^\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?(?: ?(?:Z|[+-]\d\d:?\d\d))?)?$/;
const TIME_OF_DAY = /\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]m)?/gi;
/** A month or year without a day: git takes today's day and time in it, and only a year for a time of day. */
const MONTH_NAME = /\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\b/i;
const YEAR_OR_MONTH = /^\s*\d{4}(?:[-/.]\d{1,2})?\s*$/;
const DAY_OF_MONTH = /(?<!\d)\d{1,2}(?:st|nd|rd|th)?(?!\d)/i;
const SETTING = "oarlock.date";

/** Throws a {@link GitError} for a text that git does not understand as a date. */
export async function checkDate({ git }: Pick<GitContext, "git">, text: string, signal?: AbortSignal): Promise<void> {
  if (hasNoDay(text))
    throw new GitError(
      "invalid",
      `Date "${clip(text)}" has no day: git would take the day and time of now. Give the day too, such as 2026-01-31.`,
    );
  const isPlausible = hasOnlyKnownWords(text) && isPossible(text);
  if (isPlausible && (PLAIN_ISO.test(text) || TODAY.test(text) || (await isUnderstood(git, text, signal)))) return;
  throw new GitError(
    "invalid",
    `Date "${clip(text)}" is not one that git understands. Give an ISO 8601 date such as 2026-01-31 or 2026-01-31T14:00:00Z, seconds since 1970, or words such as "2 weeks ago", "yesterday" or "last friday".`,
  );
}

function hasNoDay(text: string): boolean {
  if (YEAR_OR_MONTH.test(text)) return true;
  return MONTH_NAME.test(text) && hasOnlyKnownWords(text) && !DAY_OF_MONTH.test(text.replaceAll(TIME_OF_DAY, ""));
}

const hasOnlyKnownWords = (text: string): boolean => (text.match(/\p{L}+/gu) ?? []).every((word) => WORDS.has(word.toLowerCase()));

/** False for a month, day or hour that does not exist, which git reads as some other time. */
function isPossible(text: string): boolean {
  if (NOT_SECONDS.test(text) || SKIPPED.test(text)) return false;
  const [, year, first, second] = ISO_DATE.exec(text)?.map(Number) ?? [];
  if (year !== undefined && first !== undefined && second !== undefined)
    // git reads 2026-31-01 too.
    if (!isDay(year, first, second) && !isDay(year, second, first)) return false;
  const [, hour = 0, minute = 0, seconds = 0] = ISO_TIME.exec(text)?.map((part) => Number(part ?? 0)) ?? [];
  return hour <= 24 && minute < 60 && seconds <= 60;
}

const isDay = (year: number, month: number, day: number): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();

/** Whether git itself finds a date in the text: as a setting with this type it reports what it does not understand. */
async function isUnderstood(git: string, text: string, signal?: AbortSignal): Promise<boolean> {
  const env = { ...environmentWithoutRepository(git), GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: SETTING, GIT_CONFIG_VALUE_0: text };
  const { exitCode } = await runRead({ git, env, cwd: "/" }, { args: ["config", "--type=expiry-date", "--get", SETTING], signal });
  return exitCode === 0;
}
