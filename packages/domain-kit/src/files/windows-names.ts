// Names on Windows, which gives several spellings to one file (trailing dots and blanks, streams) and turns some names into devices.
// https://learn.microsoft.com/en-us/windows/win32/fileio/naming-a-file

const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i;

/** Whether each name in the path means the file that it spells on Windows. `.` and `..` do; the path may begin with a drive. */
export function hasPlainWindowsNames(path: string): boolean {
  const withoutPrefix = path.replace(/^\\\\\?\\(?=[a-z]:)/i, "").replace(/^[a-z]:/i, "");
  return withoutPrefix.split(/[\\/]/).every((name) => ["", ".", ".."].includes(name) || isPlain(name));
}

const isPlain = (name: string): boolean => !name.includes(":") && !name.endsWith(".") && !name.endsWith(" ") && !DEVICE.test(name);
