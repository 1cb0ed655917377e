// The diff view: what an edit changes. After a dry run, `Apply` makes the edit by the same tool, which asks as ever.
import { button, counted, element, startView, textOf, toolbar, visible, type Page } from "@oarlock-tooling/views";
import { fileList } from "@oarlock-tooling/views/diff";
import { readEdit, type EditResult } from "./edit-result.ts";

void startView({
  label: "Edit of a file",
  render: (result, page) => show(readEdit(result, page.args["dryRun"] === true), page),
});

function show(edit: EditResult, page: Page): void {
  const { file, applied, notices } = edit;
  if (file.patch === "" && file.isCut !== true) return page.empty("The edit changes nothing.");
  const canCall = page.host.capabilities.serverTools !== undefined;
  const canApply = !applied && canCall && Array.isArray(page.args["edits"]);
  page.show(
    element("p", { class: "outcome" }, outcomeOf(edit), !applied && !canCall && " This host does not let the page apply it."),
    canApply &&
      toolbar(
        "Edit",
        button("Apply", ({ currentTarget }) => page.act(() => apply(edit, page, currentTarget as HTMLButtonElement))),
      ), // the button
    fileList({ page, files: [file], openLines: Infinity }),
    notices !== "" && element("p", { class: "message quiet" }, visible(notices, "lines")),
  );
}

function outcomeOf({ applied, replacements }: EditResult): string {
  const count = replacements === undefined ? "" : `: ${counted(replacements, "replacement")}`;
  return applied ? `Applied${count}.` : `Preview${count}. The file is unchanged.`;
}

/** Makes the edit that was previewed. The etag of the preview keeps changes of others, made since then, from being edited unseen. */
async function apply({ etag }: EditResult, page: Page, control: HTMLButtonElement): Promise<void> {
  control.disabled = true;
  page.announce("Applying…");
  try {
    const result = await page.host.callTool("edit_file", {
      ...page.args,
      dryRun: false,
      ...(etag !== undefined && { expectedEtag: etag }),
    });
    if (result.isError === true) return refused(textOf(result), page, control);
    show(readEdit(result, false), page);
    page.announce("The edit was applied.");
  } catch (error) {
    // The host refuses calls that its user does not allow.
    refused(error instanceof Error ? error.message : String(error), page, control, true);
  }
}

/** `isByHost`: the host answered instead of the tool, as it does when its user does not allow the call, and when it cannot make it. */
function refused(reason: string, page: Page, control: HTMLButtonElement, isByHost = false): void {
  control.disabled = false;
  const isDeclined = (isByHost && !/time|unsupported/i.test(reason)) || /declin|denied|reject/i.test(reason);
  page.announce(isDeclined ? `The edit was declined; the file is unchanged. ${reason}` : `The edit failed. ${reason}`);
}
