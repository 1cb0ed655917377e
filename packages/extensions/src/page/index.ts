/** What the pages of all views share: elements, the frame of a page, tables, and text from outside. */
export { element, svg, type Attributes, type Child } from "./elements.ts";
export { startView, type Page, type ViewOptions } from "./page.ts";
export { actionButton } from "./action-button.ts";
export { button, choice, searchField, toolbar } from "./controls.ts";
export { callTool, missingWithoutTools, structuredOf, textOf } from "./results.ts";
export { dataTable, type Column } from "./table.ts";
export { inBatches, type Batch } from "./batches.ts";
export { inSlices } from "./slices.ts";
export { bytes, clipped, counted, describeError, lineText, visible } from "./text.ts";
export type { DisplayMode, Host, HostContext, ToolResult } from "../view.ts";
