import { type Html, html } from './html.ts';

/**
 * Characters that nobody sees, or that change how their neighbours are shown: controls, line breaks, overrides of
 * the writing direction, fillers. Joiners and variation selectors, which emoji and many scripts need, are not among
 * them.
 */
const unseen =
  /(?!\p{Join_Control}|\p{Variation_Selector})[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** More marks on one letter than any language writes would be drawn over the lines above and below. */
const excessMarks = /(?<=\p{M}{4})\p{M}+/gu;

/**
 * Text that somebody else chose, such as an app's name: it can't reach beyond itself, whichever way it is written,
 * and what it tries to hide is shown by its number.
 */
export function foreignText(text: string): Html {
  return html`<bdi class="foreign">${[...text.replace(excessMarks, '…')].map(show)}</bdi>`;
}

function show(character: string): Html | string {
  if (!unseen.test(character)) return character;
  const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return html`<code>U+${number}</code>`;
}
