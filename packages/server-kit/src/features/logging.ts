// Log levels and their severity. https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging
import { invalidParams } from "../protocol/errors.ts";
import { LOG_LEVELS, type LogLevel } from "../protocol/types.ts";

/** Severity of a level, from 0; -1 for an unknown level. */
export const severity = (level: unknown): number => LOG_LEVELS.indexOf(level as LogLevel); // not found: -1

/** The level in a client's request. Throws -32602 on an unknown level. */
export function levelOf(value: unknown): LogLevel {
  const level = LOG_LEVELS[severity(value)];
  if (level === undefined) throw invalidParams(`level: expected one of ${LOG_LEVELS.join(", ")}`);
  return level;
}
