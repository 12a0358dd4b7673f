import { AppError, type FieldErrors } from '#shared/errors/app-error.ts';
import { type Html, html } from '#shared/html/html.ts';
import { type Scope, scopeLabels } from '#shared/scopes.ts';
import { untrustedText } from './text.ts';

/** The form field of a validated member, and its name in messages; or one message for all its errors. */
export type FormMember = { field: string } & ({ subject: string } | { message: string });

/** The errors of a validation_error by field. Throws any other error again. */
export function fieldErrors(thrown: unknown, members: Readonly<Record<string, FormMember>>): FieldErrors {
  if (!(thrown instanceof AppError) || thrown.errors === undefined) throw thrown;
  const errors = Object.entries(thrown.errors).map(([name, messages]): [string, string[]] => {
    const member = members[name];
    if (member === undefined) throw thrown;
    if ('message' in member) return [member.field, [member.message]];
    // Messages start with the member's name.
    return [member.field, messages.map((message) => message.replace(name, () => member.subject))];
  });
  return Object.fromEntries(errors);
}

type FieldOptions = {
  /** Also the element's id. */
  name: string;
  label: string;
  hint?: string;
  errors?: readonly string[] | undefined;
};

type InputOptions = FieldOptions & {
  type: 'text' | 'email' | 'password' | 'date';
  /** HTML §4.10.18.7. */
  autocomplete: string;
  value?: string | undefined;
  isOptional?: boolean;
  isReadOnly?: boolean;
  inputMode?: 'numeric';
  maximumLength?: number;
  /** The main field of the page, with the focus. */
  isFirst?: boolean | undefined;
};

/** An error of the form as a whole. It gets the focus, so screen readers announce it. */
export function refusalText(refusal: string | undefined): Html | undefined {
  if (refusal === undefined) return undefined;
  return html`<p class="error" role="alert" tabindex="-1" autofocus>${refusal}</p>`;
}

/** A notice of what was done. It gets the focus, so screen readers announce it. */
export function noticeText(notice: string | undefined): Html | undefined {
  if (notice === undefined) return undefined;
  return html`<p class="notice" role="status" tabindex="-1" autofocus>${notice}</p>`;
}

/**
 * A labelled input, described by its errors and hint (WCAG 2.2 §1.3.1, §3.3.1). The first input with an error
 * gets the focus.
 */
export function inputField(options: InputOptions): Html {
  const { type, autocomplete, value, isOptional, isReadOnly, inputMode, maximumLength, isFirst } = options;
  const attributes = [
    inputMode !== undefined && html` inputmode="${inputMode}"`,
    maximumLength !== undefined && html` maxlength="${String(maximumLength)}"`,
    value !== undefined && html` value="${value}"`,
    isOptional !== true && html` required`,
    isReadOnly && html` readonly`,
    isFirst && !options.errors?.length && html` autofocus`,
  ];
  return labelled(
    options,
    html`<input type="${type}" ${controlAttributes(options)} autocomplete="${autocomplete}"${attributes}>`,
  );
}

type EmailOptions = Pick<InputOptions, 'value' | 'isReadOnly' | 'errors' | 'isFirst'> & {
  autocomplete?: string;
};

export function emailField({ autocomplete = 'username', ...options }: EmailOptions): Html {
  return inputField({ ...options, name: 'email', label: 'E-mail address', type: 'email', autocomplete });
}

export function newPasswordField(options: Pick<InputOptions, 'name' | 'label' | 'errors' | 'isFirst'>): Html {
  return inputField({
    ...options,
    type: 'password',
    autocomplete: 'new-password',
    hint: 'At least 8 characters. A few words in a row are easy to remember and hard to guess.',
  });
}

/** `choices`: option elements. `attributes`: further ones of the select. */
export function selectField(options: FieldOptions & { choices: Html; attributes?: Html | undefined }): Html {
  const { choices, attributes } = options;
  return labelled(options, html`<select ${controlAttributes(options)}${attributes}>${choices}</select>`);
}

function labelled({ name, label, hint, errors = [] }: FieldOptions, control: Html): Html {
  return html`<div class="field">
<label for="${name}">${label}</label>
${control}
${errors.length > 0 && html`<p class="error" id="${name}-error">${errors.map(asSentence).join(' ')}</p>`}
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
</div>
`;
}

function controlAttributes({ name, hint, errors = [] }: FieldOptions): Html {
  const isWrong = errors.length > 0;
  const describedBy = [isWrong && `${name}-error`, hint !== undefined && `${name}-hint`].filter(Boolean);
  return html`id="${name}" name="${name}"${
    describedBy.length > 0 && html` aria-describedby="${describedBy.join(' ')}"`
  }${isWrong && html` aria-invalid="true" autofocus`}`;
}

function asSentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

type ScopeBoxes = {
  label: string;
  offered: readonly Scope[];
  isTicked(scope: Scope): boolean;
  error?: string | undefined;
};

/** Check boxes named `scope`; the error describes each of them. */
export function scopeBoxes({ label, offered, isTicked, error }: ScopeBoxes): Html {
  const described =
    error !== undefined && html` aria-describedby="scope-error" aria-invalid="true" autofocus`;
  const boxes = offered.map(
    (scope) => html`<label class="choice">
<input type="checkbox" name="scope" value="${scope}"${isTicked(scope) && html` checked`}${described}>
<span><b>${scopeLabels[scope].name}</b> <small>${scopeLabels[scope].meaning}</small></span>
</label>
`,
  );
  return html`<fieldset class="field">
<legend>${label}</legend>
${error !== undefined && html`<p class="error" id="scope-error">${error}</p>`}
${boxes}</fieldset>
`;
}

type GuardedButton = {
  opener: string;
  consequence: string;
  button: string;
  /** Name of what it ends, if a page has several: part of the buttons' accessible names. */
  name?: string;
  action: string;
  csrf: Html;
};

/**
 * A button that ends something, after a first press that describes the effect; another button cancels. Works
 * without script.
 */
export function guardedButton({ opener, consequence, button, name, action, csrf }: GuardedButton): Html {
  const of = name !== undefined && html`<span class="vh"> ${untrustedText(name)}</span>`;
  return html`<details class="guarded">
<summary><span>${opener}${of}</span><span>Cancel${of}</span></summary>
<form method="post" action="${action}" class="stack">
${csrf}
<p>${consequence}</p>
<button class="btn danger">${button}${of}</button>
</form>
</details>
`;
}
