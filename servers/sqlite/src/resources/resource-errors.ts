// Errors of resources.
import { invalidParams, resourceNotFound } from "@oarlock/server-kit";
import { DbError } from "../db/errors.ts";

/** Reports what does not exist as "resource not found", and other errors of the database as invalid params. */
export async function withResourceErrors<T>(uri: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof DbError && error.code === "not-found") throw resourceNotFound(uri);
    throw error instanceof DbError ? invalidParams(error.message) : error;
  }
}
