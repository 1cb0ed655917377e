// @oarlock/server-kit/stdout: keeps stdout for protocol messages from here on. Imported first, it holds while other modules load, and print.
import { guardStdout } from "./transports/stdout-guard.ts";

export { writeStdout } from "./transports/stdout-guard.ts";

guardStdout();
