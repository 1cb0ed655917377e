// Where the script of database processes stands: beside this one, in the sources as in what is built.

export const childFile = decodeURIComponent(
  new URL(import.meta.url.endsWith(".ts") ? "./child.ts" : "./child.js", import.meta.url).pathname,
).replace(/^\/(?=[A-Za-z]:\/)/, "");
