// The schema view: tables of list_tables and describe_table as an ER diagram.
import { startView, textOf, type Page, type ToolResult } from "@oarlock/extensions/page";
import { loadSchema } from "./schema-data.ts";
import { SchemaPage } from "./schema-page.ts";

void startView({ label: "Schema", render });

async function render(result: ToolResult, page: Page): Promise<void> {
  const schema = await loadSchema(result, page);
  if (schema === undefined) return page.fail(`The tables are in a form that this page cannot show:\n${textOf(result).slice(0, 10_000)}`);
  if (schema.tables.length === 0) return page.empty("No tables.");
  await new SchemaPage(schema, page).open();
}
