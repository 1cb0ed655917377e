// Loaded into a server by `--require`: counts calls of node:fs by name, and tells on stderr at a signal.
"use strict";
const fs = require("node:fs");

const counts = {};
const counted = (name, act) =>
  function (...args) {
    counts[name] = (counts[name] ?? 0) + 1;
    return act.apply(this, args);
  };

for (const at of [fs, fs.promises]) {
  const prefix = at === fs ? "" : "promises.";
  for (const [name, act] of Object.entries(at)) {
    if (typeof act !== "function" || /^[A-Z_]/.test(name)) continue;
    // What hangs on a function stays there: realpathSync.native.
    at[name] = Object.assign(counted(prefix + name, act), act);
    if (typeof act.native === "function") at[name].native = counted(`${prefix}${name}.native`, act.native);
  }
}

process.on("SIGUSR2", () => {
  const text = `FS ${JSON.stringify(counts)}\n`;
  for (const name of Object.keys(counts)) delete counts[name];
  fs.writeSync(2, text);
});
