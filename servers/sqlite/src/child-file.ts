// The path of the script of database processes: beside this file, in the sources and in a build.

export const childFile = decodeURIComponent(
  new URL(import.meta.url.endsWith(".ts") ? "./child.ts" : "./child.js", import.meta.url).pathname,
).replace(/^\/(?=[A-Za-z]:\/)/, "");
