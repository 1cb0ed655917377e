// undo_change: takes back the last change to a file that the trash keeps the old state of, or lists these changes.
import { clip, counted, escapeControls } from "@oarlock/domain-kit";
import { tool, type InteractiveContext, type ToolDefinition } from "@oarlock/server-kit";
import type { Dependencies, OpenTrash } from "../../dependencies.ts";
import { nativePaths, displayPathFrom } from "../../disk/access/path-syntax.ts";
import type { Sandbox } from "../../disk/access/sandbox.ts";
import { DiskError } from "../../disk/errors.ts";
import { isGroup, newGroup, restoreGroup } from "../../disk/trash/change-group.ts";
import type { Slot } from "../../disk/trash/slots.ts";
import type { Trash } from "../../disk/trash/trash.ts";
import { sizeText } from "../../disk/tree/listing-text.ts";
import { flag, object, result, text, z } from "../../schema.ts";
import { withUndo } from "../../replies/undo-notice.ts";

const MAX_LISTED = 50;
const ACTS = { deleted: "the deletion", overwritten: "the change" } as const;

export const undoChange = ({ sandboxes }: Dependencies, openTrash: OpenTrash): ToolDefinition =>
  tool({
    name: "undo_change",
    title: "Undo change",
    description: "Take back the last deletion, overwriting or edit of a file (no move or append); again: the one before.",
    input: () =>
      object({
        path: z.optional(text("File, default any")),
        id: z.optional(text("Change, from its reply")),
        list: flag("Only list changes"),
      }),
    output: () => result({ content: z.string() }),
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    async run({ path, id, list }, ctx) {
      const [trash, sandbox] = await Promise.all([openTrash({ principal: ctx.auth?.principal }), sandboxes.of(ctx)]);
      const displayPath = displayPathIn(sandbox, path);
      if (list) return listing(trash, sandbox, path, displayPath);
      const change = id ?? idOf(await lastChange(trash, sandbox, path), path);
      if (isGroup(change)) return await undoGroup(change, { sandbox, openTrash, displayPath }, ctx);
      const restored = await trash.restore(sandbox, change, ctx.signal);
      const back = displayPath(restored.path);
      const content = `Successfully brought back ${escapeControls(back)}`;
      const what = `This took back ${ACTS[restored.act]} of ${inSeconds(restored.time)}.`;
      return {
        content: withUndo(content, restored.undo, false, [what, restored.loss ?? ""].join(" ").trimEnd()),
        structured: { content, path: back, undo: restored.undo },
      };
    },
  });

/** A change of many files comes back as a whole, unless the call names one of them. */
const idOf = ({ id, group }: Slot, path: string | undefined): string => (path === undefined ? (group ?? id) : id);

/** Below the only allowed directory, unless the call names an absolute path. */
function displayPathIn({ roots }: Sandbox, path = "."): DisplayPath {
  const [only] = roots;
  return only === undefined || roots.length > 1
    ? (real) => real
    : displayPathFrom(nativePaths.path.isAbsolute(path) ? path : ".", only.real);
}

type DisplayPath = ReturnType<typeof displayPathFrom>;

interface Undoing {
  readonly sandbox: Sandbox;
  readonly openTrash: OpenTrash;
  readonly displayPath: DisplayPath;
}

async function undoGroup(change: string, { sandbox, openTrash, displayPath }: Undoing, ctx: Pick<InteractiveContext, "auth" | "signal">) {
  const undo = newGroup();
  const trash = await openTrash({ principal: ctx.auth?.principal, group: undo });
  const slots = await trash.ofGroup(sandbox, change);
  const [first] = slots;
  if (first === undefined) throw nothingKept(change);
  const { paths: places, problems } = await restoreGroup(trash, sandbox, slots, ctx.signal);
  const paths = places.map(displayPath);
  const lines = problems.map(({ path, why }) => escapeControls(`${displayPath(path)}: ${why.replaceAll(path, displayPath(path))}`));
  const content = [`Successfully brought back ${counted(paths.length, "file")}`, ...lines].join("\n");
  const back = paths.length > 0 ? undo : undefined;
  const what = paths.length > 0 ? `This took back the change of ${inSeconds(first.time)}.` : "";
  return { content: withUndo(content, back, false, what), structured: { content, paths, undo: back } };
}

const nothingKept = (id: string): DiskError =>
  new DiskError("not-found", `Nothing to bring back with the id ${clip(id, 40)}. Call undo_change with list for what can be brought back.`);

async function lastChange(trash: Trash, sandbox: Sandbox, path: string | undefined): Promise<Slot> {
  const last = await trash.last(sandbox, path === undefined ? undefined : await placesOf(sandbox, path));
  if (last !== undefined) return last;
  const what = path === undefined ? "No change" : `No change of ${clip(path)}`;
  throw new DiskError("not-found", `${what} can be taken back. Call undo_change with list for those that can.`);
}

/** A write through a link has changed the link's target. */
async function placesOf(sandbox: Sandbox, path: string): Promise<string[]> {
  const { placeOf } = await import("../../disk/write/directory-maker.ts");
  const place = placeOf(sandbox, path);
  try {
    return [place, sandbox.look(path).path];
  } catch (error) {
    if (error instanceof DiskError) return [place]; // deleted
    throw error;
  }
}

async function listing(trash: Trash, sandbox: Sandbox, path: string | undefined, displayPath: DisplayPath) {
  await trash.removeOld();
  const places = path === undefined ? undefined : await placesOf(sandbox, path);
  const slots = await trash.list(sandbox, MAX_LISTED, places);
  const kept = slots.map((slot) => ({ ...slot, path: displayPath(slot.path) }));
  const content = kept.length > 0 ? kept.map(lineOf).join("\n") : "Nothing can be brought back.";
  return {
    content,
    structured: {
      content,
      kept: kept.map(({ id, path: from, act, time, bytes }) => ({ id, path: from, act, time: time.toISOString(), bytes })),
    },
  };
}

const inSeconds = (time: Date): string => time.toISOString().replace(/\.\d+Z$/, "Z");

const lineOf = ({ id, path, act, time, bytes, group }: Slot): string =>
  `${id}: ${escapeControls(path)} (${act} ${time.toISOString()}, ${sizeText(bytes)}${group === undefined ? "" : `, with others by ${group}`})`;
