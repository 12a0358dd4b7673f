import { type Html, html } from './html.ts';

export type FieldOptions = {
  /** Also the element's id, unless `id` is given. */
  name: string;
  id?: string;
  label: string;
  /** What is expected, said before anything is wrong. */
  hint?: string;
  /** What is wrong with what was sent. */
  problems?: readonly string[] | undefined;
};

export type InputOptions = FieldOptions & {
  type: 'text' | 'email' | 'password' | 'date';
  /** The purpose that browsers and password managers know it by (HTML §4.10.18.7). */
  autocomplete: string;
  value?: string | undefined;
  isOptional?: boolean;
};

/** A labelled input; its problems and its hint are read with it (WCAG 2.2 §1.3.1, §3.3.1). */
export function inputField(options: InputOptions): Html {
  const { type, autocomplete, value, isOptional } = options;
  const attributes = [value !== undefined && html` value="${value}"`, isOptional !== true && html` required`];
  return labelled(
    options,
    html`<input type="${type}" ${controlAttributes(options)} autocomplete="${autocomplete}"${attributes}>`,
  );
}

/** `choices`: option elements. `attributes`: further ones of the select. */
export function selectField(options: FieldOptions & { choices: Html; attributes?: Html | undefined }): Html {
  const { choices, attributes } = options;
  return labelled(options, html`<select ${controlAttributes(options)}${attributes}>${choices}</select>`);
}

function labelled({ name, id = name, label, hint, problems = [] }: FieldOptions, control: Html): Html {
  return html`<div class="field">
<label for="${id}">${label}</label>
${control}
${problems.length > 0 && html`<p class="error" id="${id}-problem">${problems.map(asSentence).join(' ')}</p>`}
${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
</div>
`;
}

function controlAttributes({ name, id = name, hint, problems = [] }: FieldOptions): Html {
  const isWrong = problems.length > 0;
  const described = [isWrong && `${id}-problem`, hint !== undefined && `${id}-hint`]
    .filter(Boolean)
    .join(' ');
  return html`id="${id}" name="${name}"${described !== '' && html` aria-describedby="${described}"`}${
    isWrong && html` aria-invalid="true"`
  }`;
}

function asSentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
