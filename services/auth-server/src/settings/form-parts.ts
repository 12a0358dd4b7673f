import { type Html, html } from '../html/html.ts';

export type CheckBoxGroup = {
  name: string;
  label: string;
  boxes: readonly { value: string; text: Html; isTicked: boolean }[];
  problem?: string | undefined;
};

/** Check boxes that share a name; what is wrong is read with each of them. */
export function checkBoxGroup({ name, label, boxes, problem }: CheckBoxGroup): Html {
  const described = problem !== undefined && html` aria-describedby="${name}-problem" aria-invalid="true"`;
  const labels = boxes.map(
    ({ value, text, isTicked }) => html`<label class="choice">
<input type="checkbox" name="${name}" value="${value}"${isTicked && html` checked`}${described}>
<span>${text}</span>
</label>
`,
  );
  return html`<fieldset class="field">
<legend>${label}</legend>
${problem !== undefined && html`<p class="error" id="${name}-problem">${problem}</p>`}
${labels}</fieldset>
`;
}

export type GuardedButton = {
  opener: string;
  consequence: string;
  button: string;
  action: string;
  csrf: Html;
};

/** A button that ends something, behind a first press that says what it ends. Works without script. */
export function guardedButton({ opener, consequence, button, action, csrf }: GuardedButton): Html {
  return html`<details class="guarded">
<summary>${opener}</summary>
<form method="post" action="${action}" class="stack">
${csrf}
<p>${consequence}</p>
<button class="danger">${button}</button>
</form>
</details>
`;
}
