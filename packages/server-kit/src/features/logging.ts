// Log levels and who gets what. https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging
import { invalidParams } from "../protocol/errors.ts";
import { LOG_LEVELS, type LogLevel } from "../protocol/types.ts";

/** How severe a level is; the greater the worse. -1 for what is no level. */
export const severity = (level: unknown): number => LOG_LEVELS.indexOf(level as LogLevel); // not found: -1

/** The level that a client names. Throws -32602 on an unknown one. */
export function levelOf(value: unknown): LogLevel {
  const level = LOG_LEVELS[severity(value)];
  if (level === undefined) throw invalidParams(`level: expected one of ${LOG_LEVELS.join(", ")}`);
  return level;
}
