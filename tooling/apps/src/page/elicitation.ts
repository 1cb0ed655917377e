// Shows an elicitation of the server as a dialog and returns the answer of the user.

type Value = string | number | boolean;

export interface Answer {
  action: "accept" | "decline" | "cancel";
  content?: Record<string, Value>;
  [member: string]: unknown;
}

interface Field {
  type?: string;
  title?: string;
  description?: string;
  default?: unknown;
}

export async function askUser(params: object): Promise<Answer> {
  const { message, requestedSchema } = params as { message: string; requestedSchema?: { properties?: Record<string, Field> } }; // a form
  const dialog = document.body.appendChild(document.createElement("dialog"));
  dialog.setAttribute("aria-label", "Question of the server");
  dialog.appendChild(document.createElement("p")).textContent = message;
  const inputs = Object.entries(requestedSchema?.properties ?? {}).map(([name, field]) => ({
    name,
    field,
    input: fieldOf(dialog, name, field),
  }));
  dialog.showModal();
  const action = await new Promise<Answer["action"]>((resolve) => {
    dialog.addEventListener("cancel", () => resolve("cancel")); // the Escape key
    addButton(dialog, "Accept", () => resolve("accept"));
    addButton(dialog, "Decline", () => resolve("decline"));
  });
  dialog.remove();
  if (action !== "accept") return { action };
  return { action, content: Object.fromEntries(inputs.map(({ name, field, input }) => [name, valueOf(field, input)])) };
}

function addButton(dialog: HTMLElement, label: string, act: () => void): void {
  const button = dialog.appendChild(document.createElement("button"));
  button.textContent = label;
  button.addEventListener("click", act);
}

/** A yes-or-no field without a default is set: the button says whether the user accepts. */
function fieldOf(dialog: HTMLElement, name: string, { type, title, description, default: value }: Field): HTMLInputElement {
  const label = dialog.appendChild(document.createElement("label"));
  label.textContent = title ?? description ?? name;
  const input = label.appendChild(document.createElement("input"));
  input.type = type === "boolean" ? "checkbox" : "text";
  input.checked = value !== false;
  if (type !== "boolean" && (typeof value === "string" || typeof value === "number")) input.value = String(value);
  return input;
}

function valueOf({ type }: Field, input: HTMLInputElement): Value {
  if (type === "boolean") return input.checked;
  return type === "number" || type === "integer" ? Number(input.value) : input.value;
}
