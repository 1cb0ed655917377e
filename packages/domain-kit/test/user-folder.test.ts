import { expect, test } from "vitest";
import { userFolder } from "../src/index.ts";

const home = (): string => "/home/me";
const windowsHome = (): string => String.raw`C:\Users\me`;

test("is in LOCALAPPDATA on Windows, and below the home folder without it", () => {
  const env = { LOCALAPPDATA: String.raw`D:\Local`, XDG_DATA_HOME: "/x" };
  expect(userFolder("data", { platform: "win32", env, home: windowsHome })).toBe(String.raw`D:\Local`);
  for (const LOCALAPPDATA of [undefined, "", "Local", "D:Local"])
    expect(userFolder("state", { platform: "win32", env: { LOCALAPPDATA }, home: windowsHome })).toBe(
      String.raw`C:\Users\me\AppData\Local`,
    );
});

test("is Application Support on macOS, whatever the variables of Linux say", () => {
  for (const kind of ["data", "state"] as const)
    expect(userFolder(kind, { platform: "darwin", env: { XDG_STATE_HOME: "/x", XDG_DATA_HOME: "/x" }, home })).toBe(
      "/home/me/Library/Application Support",
    );
});

test("follows the XDG specification elsewhere, which takes no relative path", () => {
  const env = { XDG_STATE_HOME: "/state", XDG_DATA_HOME: "/data", LOCALAPPDATA: "/x" };
  expect([userFolder("data", { platform: "linux", env, home }), userFolder("state", { platform: "linux", env, home })]).toEqual([
    "/data",
    "/state",
  ]);
  for (const path of [undefined, "", "rel", String.raw`\rel`, String.raw`C:\x`]) {
    const given = { XDG_STATE_HOME: path, XDG_DATA_HOME: path };
    expect(userFolder("data", { platform: "linux", env: given, home })).toBe("/home/me/.local/share");
    expect(userFolder("state", { platform: "linux", env: given, home })).toBe("/home/me/.local/state");
  }
});
