// Diff view: the changes of an edit. After a dry run, Apply calls edit_file with dryRun false. The tool does not ask; the host may.
import { actionButton, counted, describeError, element, startView, textOf, toolbar, visible, type Page } from "@oarlock/extensions/page";
import { fileList } from "@oarlock/extensions/page/diff";
import { applyObstacle, failureText } from "./apply-text.ts";
import { readEdit, type EditResult } from "./edit-result.ts";

void startView({
  label: "Edit of a file",
  render: (result, page) => show(readEdit(result, page.args["dryRun"] === true), page),
});

function show(edit: EditResult, page: Page): void {
  const { file, applied, notices } = edit;
  if (file.patch === "" && file.isCut !== true) return page.empty("The edit changes nothing.");
  const successor = () => document.querySelector<HTMLElement>(".outcome");
  const outcome = element("p", { class: "outcome", tabindex: -1 });
  const actions = element("div");
  const unseen = (reason: string): void => {
    const preview = { etag: edit.etag, isCut: file.isCut === true, unseen: reason };
    const obstacle = applied ? "" : applyObstacle(preview, page.canCallTools);
    const canApply = !applied && obstacle === "" && Array.isArray(page.args["edits"]);
    outcome.textContent = [outcomeOf(edit), obstacle].filter(Boolean).join(" ");
    const button = () => actionButton("Apply", { page, act: () => apply(edit, page), successor });
    actions.replaceChildren(...(canApply ? [toolbar("Edit", button())] : []));
  };
  unseen("The changes are being drawn.");
  page.show(
    outcome,
    actions,
    fileList({ page, files: [file], openLines: Infinity, unseen }),
    notices !== "" && element("p", { class: "message quiet" }, visible(notices, "lines")),
  );
}

function outcomeOf({ applied, replacements }: EditResult): string {
  const count = replacements === undefined ? "" : `: ${counted(replacements, "replacement")}`;
  return applied ? `Applied${count}.` : `Preview${count}. The file is unchanged.`;
}

/** Makes the edit that was previewed. The etag of the preview keeps changes of others, made since then, from being edited unseen. */
async function apply({ etag }: EditResult, page: Page): Promise<void> {
  page.announce("Applying…");
  try {
    const result = await page.host.callTool("edit_file", { ...page.args, dryRun: false, expectedEtag: etag });
    if (result.isError === true) return page.announce(failureText("tool", textOf(result)));
    show(readEdit(result, false), page);
    page.announce("The edit was applied.");
  } catch (error) {
    page.announce(failureText("host", describeError(error)));
  }
}
