// ElicitationForm: an elicitation of the server, as a form with a field for each property of its schema.
import { defineComponent, h, onMounted, reactive, ref, type PropType, type VNode } from "vue";
import type { Elicitation, ElicitationAnswer } from "../../../src/playground/messages.ts";

type Values = Record<string, unknown>;

interface Field {
  readonly type?: string;
  readonly title?: string;
  readonly enum?: readonly string[];
}

export const ElicitationForm = defineComponent({
  name: "ElicitationForm",
  props: { elicitation: { type: Object as PropType<Elicitation>, required: true } },
  emits: { answer: (answer: ElicitationAnswer) => answer.action.length > 0 },
  setup({ elicitation }, { emit }) {
    const form = ref<HTMLElement>();
    const properties = Object.entries((elicitation.schema["properties"] ?? {}) as Record<string, Field>); // the kit makes the schema
    const values: Values = reactive(
      Object.fromEntries(properties.map(([name, field]) => [name, elicitation.defaults[name] ?? emptyOf(field)])),
    );
    onMounted(() => form.value?.querySelector<HTMLElement>("input, select, button")?.focus());
    const submit = (event: Event): void => {
      event.preventDefault();
      emit("answer", { action: "accept", content: { ...values } });
    };
    return () =>
      h("form", { class: "elicitation-form", ref: form, "aria-label": "Elicitation", onSubmit: submit }, [
        h("p", [h("strong", "The server asks: "), elicitation.message]),
        properties.map(([name, field]) => h("label", { class: field.type }, [field.title ?? name, control(name, field, values)])),
        h("div", { class: "buttons" }, [
          h("button", { type: "submit" }, "Accept"),
          h("button", { type: "button", onClick: () => emit("answer", { action: "decline" }) }, "Decline"),
        ]),
      ]);
  },
});

function emptyOf({ type, enum: choices }: Field): unknown {
  if (type === "boolean") return false;
  return choices?.[0] ?? (type === "string" ? "" : 0);
}

function control(name: string, { type, enum: choices }: Field, values: Values): VNode {
  if (type === "boolean")
    return h("input", { type: "checkbox", checked: values[name], onChange: (event: Event) => (values[name] = inputOf(event).checked) });
  const onInput = (event: Event): void => {
    values[name] = type === "string" ? inputOf(event).value : Number(inputOf(event).value);
  };
  if (choices !== undefined)
    return h(
      "select",
      { value: values[name], onChange: onInput },
      choices.map((choice) => h("option", choice)),
    );
  return h("input", { type: type === "string" ? "text" : "number", step: type === "integer" ? 1 : "any", value: values[name], onInput });
}

const inputOf = ({ target }: Event): HTMLInputElement => target as HTMLInputElement; // the events of the fields above
