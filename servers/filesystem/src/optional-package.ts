// Optional packages, which users install beside the server when they want the tools that need them.
import { systemErrorCode } from "@oarlock/domain-kit";
import { ToolError } from "@oarlock/server-kit";

/** Imports a package by a name that bundlers do not see. Throws a ToolError with the command that installs it. */
export async function importOptional(name: string, tool: string): Promise<object> {
  try {
    return (await import(name)) as object;
  } catch (error) {
    if (systemErrorCode(error) !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new ToolError(
      `${tool} needs the package ${name}, which is not installed beside the server. The operator can run: npm install ${name}`,
    );
  }
}
