// RequestForm: a method, its target and its arguments.
import { defineComponent, h, type PropType } from "vue";
import type { Offer, UserRequest } from "../../../src/playground/messages.ts";

const METHODS: Readonly<Record<UserRequest["method"], { readonly target: string; readonly args: string | undefined }>> = {
  "tools/call": { target: "Tool", args: "Arguments (JSON)" },
  "resources/read": { target: "URI", args: undefined },
  "prompts/get": { target: "Prompt", args: "Arguments (JSON)" },
  "completion/complete": { target: "Prompt, or template of a URI", args: "Argument and its first letters (JSON)" },
};

const isMethod = (text: string): text is UserRequest["method"] => text in METHODS;

const TARGETS_ID = "playground-targets";

export const RequestForm = defineComponent({
  name: "RequestForm",
  props: {
    request: { type: Object as PropType<UserRequest>, required: true },
    offer: { type: Object as PropType<Offer>, default: undefined },
    isRunning: { type: Boolean, required: true },
  },
  emits: {
    change: (request: Partial<UserRequest>) => Object.keys(request).length > 0,
    method: (method: UserRequest["method"]) => isMethod(method),
    send: () => true,
  },
  setup(props, { emit }) {
    const submit = (event: Event): void => {
      event.preventDefault();
      emit("send");
    };
    return () => {
      const { method, target, arguments: args } = props.request;
      const labels = METHODS[method];
      return h("form", { class: "request-form", "aria-label": "Request", onSubmit: submit }, [
        h("label", [
          "Method",
          h(
            "select",
            { value: method, onChange: (event: Event) => emitMethod(valueOf(event)) },
            Object.keys(METHODS).map((name) => h("option", { value: name }, name)),
          ),
        ]),
        h("label", [
          labels.target,
          h("input", {
            value: target,
            list: TARGETS_ID,
            spellcheck: false,
            required: true,
            onInput: (event: Event) => emit("change", { target: valueOf(event) }),
          }),
        ]),
        h(
          "datalist",
          { id: TARGETS_ID },
          targetsOf(method, props.offer).map((value) => h("option", { value })),
        ),
        labels.args === undefined
          ? undefined
          : h("label", [
              labels.args,
              h("textarea", {
                value: args,
                rows: Math.min(8, args.split("\n").length),
                spellcheck: false,
                onInput: (event: Event) => emit("change", { arguments: valueOf(event) }),
              }),
            ]),
        h("button", { type: "submit", disabled: !props.isRunning }, "Send request"),
      ]);
    };

    function emitMethod(method: string): void {
      if (isMethod(method)) emit("method", method);
    }
  },
});

/** What the server offers for a method; nothing before it runs. */
export function targetsOf(method: UserRequest["method"], offer: Offer | undefined): readonly string[] {
  if (offer === undefined) return [];
  switch (method) {
    case "tools/call":
      return offer.tools;
    case "resources/read":
      return offer.resources;
    case "prompts/get":
      return offer.prompts;
    case "completion/complete":
      return [...offer.prompts, ...offer.templates];
  }
}

// The events of the fields above.
const valueOf = ({ target }: Event): string => (target as HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement).value;
