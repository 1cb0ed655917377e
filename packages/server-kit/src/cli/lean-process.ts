// How a process that serves over HTTP is kept small.
import { setFlagsFromString } from "node:v8";

/**
 * Leaves out V8's middle compiler in this process: functions go from the baseline compiler to the optimising one. What Maglev
 * makes of a freshly started server is replaced soon, but keeps some 13 MiB, more than a thousand idle sessions do. Requests cost
 * up to twice their CPU until the optimising compiler has seen them (some ten thousand of them), and the same from then on. For
 * processes that do nothing but serve; call it before serving.
 */
export function leanProcess(): void {
  setFlagsFromString("--no-maglev");
}
