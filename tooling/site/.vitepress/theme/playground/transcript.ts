// Transcript: requests, responses and events on the wire, in their order.
import { defineComponent, h, nextTick, ref, watch, type PropType } from "vue";
import type { WireEntry } from "../../../src/playground/messages.ts";

const ARROWS = { request: "→", response: "←" } as const;
const NAMES = { request: "Request", response: "Response" } as const;

export const Transcript = defineComponent({
  name: "Transcript",
  props: {
    entries: { type: Array as PropType<readonly WireEntry[]>, required: true },
    /** The entry to scroll to when it arrives. */
    scrollTo: { type: Number, required: true },
  },
  setup(props) {
    const box = ref<HTMLElement>();
    watch(
      () => props.entries.length > props.scrollTo,
      async () => {
        await nextTick();
        const entry = box.value?.querySelectorAll<HTMLElement>("li")[props.scrollTo];
        if (entry !== undefined) box.value?.scrollTo({ top: props.scrollTo === 0 ? 0 : entry.offsetTop });
      },
    );
    return () =>
      h("section", { class: "transcript", "aria-label": "Transcript of the wire" }, [
        h("h2", "The wire"),
        h("div", { class: "entries", ref: box, tabindex: 0, role: "region", "aria-label": "Requests and responses" }, [
          props.entries.length === 0 ? h("p", "Run the server to see its requests and responses.") : h("ol", props.entries.map(entryOf)),
        ]),
      ]);
  },
});

const entryOf = ({ direction, title, headers, body }: WireEntry) =>
  h("li", { class: direction }, [
    h("p", { class: "entry-title" }, [
      h("span", { "aria-hidden": "true" }, `${ARROWS[direction]} `),
      h("span", { class: "visually-hidden" }, `${NAMES[direction]}: `),
      title,
    ]),
    headers.length === 0 ? undefined : h("pre", { class: "headers" }, headers.map(([name, value]) => `${name}: ${value}`).join("\n")),
    body === "" ? undefined : h("pre", { class: "body" }, body),
  ]);
