// The system calls whose answers differ between platforms: tests pass those of another platform.
import { symlinkSync } from "node:fs";
import { systemNameCalls, type NameCalls } from "@oarlock/domain-kit";

export interface DiskCalls extends NameCalls {
  readonly symlink: (target: string, path: string, type?: "file" | "dir" | "junction") => void;
}

export const diskCalls: DiskCalls = { ...systemNameCalls, symlink: symlinkSync };
