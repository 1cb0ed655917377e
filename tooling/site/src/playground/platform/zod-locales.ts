// `zod/locales` for the worker: English only.
export { default as en } from "zod/v4/locales/en.js";
