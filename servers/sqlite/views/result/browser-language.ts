// uPlot formats numbers in the language of the browser as soon as it is loaded, and fails where that language is invalid: Chromium without
// a locale reports `en-US@posix`. Imported before uPlot.
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, "language", { value: "en" });
}
