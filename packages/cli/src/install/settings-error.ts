// Settings error: why the settings of a host are left as they are. The message ends with what to do.
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}
