// Loaded into a process by `--require`: tells on its fourth channel what was loaded up to the answer to `initialize` on stdout, or
// up to a signal. Nothing here may load what the process itself would not.
"use strict";
const fs = require("node:fs");
const { registerHooks } = require("node:module");

const files = [];
registerHooks({
  load(url, context, next) {
    if (url.startsWith("file:")) files.push(url);
    return next(url, context);
  },
});

let told = false;
function tell() {
  if (told) return;
  told = true;
  const builtins = process.moduleLoadList.filter((name) => name.startsWith("NativeModule ")).map((name) => name.slice(13));
  fs.writeSync(3, `${JSON.stringify({ builtins, files })}\n`);
}

// The stream is made when it is first asked for, as always.
const { get } = Object.getOwnPropertyDescriptor(process, "stdout");
let wrapped;
Object.defineProperty(process, "stdout", {
  configurable: true,
  enumerable: true,
  get() {
    if (wrapped !== undefined) return wrapped;
    wrapped = get.call(process);
    const { write } = wrapped;
    wrapped.write = function (chunk, ...rest) {
      const went = write.call(this, chunk, ...rest);
      if (String(chunk).includes('"serverInfo"')) tell();
      return went;
    };
    return wrapped;
  },
});

process.once("SIGUSR2", tell);
process.once("exit", tell);
