// Imports optional packages by their names, so that neither a build nor a start needs them.
import { systemErrorCode } from "@oarlock/domain-kit";
import { EmbeddingsError } from "../embedder.ts";

/** `install`: what to install, where the name of the package is not enough. Throws an EmbeddingsError. */
export async function importPackage(name: string, install: string = name): Promise<object> {
  try {
    return (await import(name)) as object;
  } catch (error) {
    const reason =
      systemErrorCode(error) === "ERR_MODULE_NOT_FOUND" ? "which is not installed beside the server" : "which cannot be loaded";
    throw new EmbeddingsError("refused", `needs the package ${name}, ${reason}. Run: npm install ${install}`);
  }
}

export function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}
