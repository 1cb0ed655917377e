// Playground: an editor with example servers, requests to the server that runs, and beside them the wire.
import { computed, defineComponent, h, onBeforeUnmount, shallowReactive } from "vue";
import type { UserRequest } from "../../../src/playground/messages.ts";
import { CodeEditor } from "./code-editor.ts";
import { EXAMPLES } from "./examples.ts";
import css from "./playground.css?inline";
import { ElicitationForm } from "./elicitation-form.ts";
import { RequestForm, targetsOf } from "./request-form.ts";
import { REVISION_CHOICES } from "./revisions.ts";
import { PlaygroundServer } from "./server-state.ts";
import { Transcript } from "./transcript.ts";

export default defineComponent({
  name: "Playground",
  setup() {
    const server = new PlaygroundServer();
    const { state } = server;
    const [first] = EXAMPLES;
    const choice = shallowReactive({ example: 0, revision: REVISION_CHOICES[0]?.id ?? "", code: first.source, request: first.requests[0] });
    const example = computed(() => EXAMPLES[choice.example] ?? first);
    const transport = computed(() => REVISION_CHOICES.find(({ id }) => id === choice.revision)?.transport ?? "");
    onBeforeUnmount(() => server.stop());

    const run = (): void => server.run(choice.code, choice.revision, choice.request);

    function chooseExample(index: number): void {
      server.stop();
      const { source, requests } = EXAMPLES[index] ?? first;
      Object.assign(choice, { example: index, code: source, request: requests[0] });
    }

    function chooseRevision(revision: string): void {
      choice.revision = revision;
      // The same server and request in another revision: the difference is on the wire.
      if (state.isRunning) run();
    }

    function chooseMethod(method: UserRequest["method"]): void {
      const prepared = example.value.requests.find((request) => request.method === method);
      choice.request = prepared ?? { method, target: targetsOf(method, state.offer)[0] ?? "", arguments: "{}" };
    }

    const select = (label: string, value: string, options: readonly (readonly [string, string])[], choose: (value: string) => void) =>
      h("label", [
        label,
        h(
          "select",
          { value, onChange: ({ target }: Event) => choose((target as HTMLSelectElement).value) }, // the event of this element
          options.map(([id, text]) => h("option", { value: id }, text)),
        ),
      ]);

    const choices = () =>
      h("div", { class: "choices" }, [
        select(
          "Example",
          String(choice.example),
          EXAMPLES.map(({ title }, index) => [String(index), title]),
          (value) => chooseExample(Number(value)),
        ),
        select(
          "Revision",
          choice.revision,
          REVISION_CHOICES.map(({ id }) => [id, id]),
          chooseRevision,
        ),
        h("button", { type: "button", class: "run", onClick: run }, "Run"),
        h("button", { type: "button", disabled: !state.isRunning, onClick: () => server.stop() }, "Stop"),
        h("p", { class: "transport" }, `${choice.revision} uses ${transport.value}.`),
      ]);

    // Beside the controls, where they are seen without scrolling.
    const notices = () => [
      state.elicitation === undefined
        ? undefined
        : h(ElicitationForm, { key: state.elicitation.id, elicitation: state.elicitation, onAnswer: (answer) => server.answer(answer) }),
      state.problem === "" ? undefined : h("p", { class: "problem", role: "alert" }, state.problem),
    ];

    const reply = () => [
      state.result === "" ? undefined : [h("h2", "Result"), h("pre", { class: "result" }, state.result)],
      state.log.length === 0 ? undefined : [h("h2", "Log of the server"), h("pre", { class: "log" }, state.log.join("\n"))],
    ];

    return () =>
      h("div", { class: "playground" }, [
        h("style", css),
        choices(),
        h("p", { class: "status", role: "status" }, state.status),
        notices(),
        h("div", { class: "columns" }, [
          h("div", { class: "server" }, [
            h(CodeEditor, { code: choice.code, label: "Code of the server", onChange: (code: string) => (choice.code = code) }),
            h(RequestForm, {
              request: choice.request,
              ...(state.offer !== undefined && { offer: state.offer }),
              isRunning: state.offer !== undefined && state.isRunning,
              onChange: (change: Partial<UserRequest>) => (choice.request = { ...choice.request, ...change }),
              onMethod: chooseMethod,
              onSend: () => server.send(choice.request),
            }),
            reply(),
          ]),
          h(Transcript, { entries: state.entries, scrollTo: state.entriesBefore }),
        ]),
      ]);
  },
});
