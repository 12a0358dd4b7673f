/** Markup that is safe to send as it is; made by `html` alone. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a template: lists one after the other, and nothing for what is absent. */
type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

/**
 * Markup with values put in: everything that is no Html is text, and escaped. Values belong between tags and
 * in attributes in double quotes; nowhere else does escaping make them harmless.
 */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  const parts = strings.map((string, index) => (index === 0 ? string : render(values[index - 1]) + string));
  return new Html(parts.join(''));
}

function render(value: HtmlValue): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(render).join('');
  return value === null || value === undefined || value === false ? '' : escapeHtml(String(value));
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
