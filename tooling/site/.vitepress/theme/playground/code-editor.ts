// CodeEditor: CodeMirror for TypeScript. Tab moves the focus on, so that the keyboard is not trapped.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import { bracketMatching, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { defineComponent, h, onBeforeUnmount, onMounted, ref, watch } from "vue";

const EXTENSIONS: Extension = [
  lineNumbers(),
  highlightSpecialChars(),
  history(),
  drawSelection(),
  indentOnInput(),
  bracketMatching(),
  javascript({ typescript: true }),
  syntaxHighlighting(classHighlighter),
  keymap.of([...defaultKeymap, ...historyKeymap]),
  EditorView.lineWrapping,
];

export const CodeEditor = defineComponent({
  name: "CodeEditor",
  props: { code: { type: String, required: true }, label: { type: String, required: true } },
  emits: { change: (code: string) => typeof code === "string" },
  setup(props, { emit }) {
    const parent = ref<HTMLElement>();
    let view: EditorView | undefined;
    const stateOf = (doc: string): EditorState =>
      EditorState.create({
        doc,
        extensions: [
          EXTENSIONS,
          EditorView.contentAttributes.of({ "aria-label": props.label }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) emit("change", update.state.doc.toString());
          }),
        ],
      });
    onMounted(() => {
      if (parent.value !== undefined) view = new EditorView({ state: stateOf(props.code), parent: parent.value });
    });
    watch(
      () => props.code,
      (code) => {
        // Another example: its history begins anew.
        if (code !== view?.state.doc.toString()) view?.setState(stateOf(code));
      },
    );
    onBeforeUnmount(() => view?.destroy());
    return () => h("div", { class: "editor", ref: parent });
  },
});
