import { type Html, html } from '#shared/html/html.ts';

export const productName = 'Tasks';

/**
 * Invisible characters (those to be ignored by default are DI) and those that affect their neighbours, except
 * the joiners of scripts and emoji.
 */
const unseen =
  /(?!\p{Join_Control}|\p{Variation_Selector})[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{DI}\u2800]/u;
/** More combining marks than any language uses would cover the lines above and below. */
const excessMarks = /(?<=\p{M}{4})\p{M}+/gu;

const graphemes = new Intl.Segmenter();

/** The first characters of a longer text, with an ellipsis; joined ones, as of many emoji, stay together. */
export function shorten(text: string, longest: number): string {
  const characters = [...text];
  if (characters.length <= longest) return text;
  const end = characters.slice(0, longest).join('').length;
  const whole = graphemes.segment(text).containing(end)?.index;
  // More marks on one letter than fit: they are cut.
  return `${text.slice(0, whole || end)}…`;
}

/** Untrusted text: isolated from the surrounding text, with hidden characters made visible. */
export function untrustedText(text: string): Html {
  return html`<bdi class="untrusted">${[...text.replace(excessMarks, '…')].map(visible)}</bdi>`;
}

/** For plain text. */
export function withoutUnseen(text: string): string {
  return [...text].filter((character) => !unseen.test(character)).join('');
}

function visible(character: string): Html | string {
  if (!unseen.test(character)) return character;
  const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return html`<code>U+${number}</code>`;
}

/** In the account's time zone, with its name. */
export function formatTimestamp(instant: Date, timeZone: string): Html {
  return html`<time datetime="${instant.toISOString()}">${absoluteTime(instant, timeZone)}</time>`;
}

function absoluteTime(instant: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  });
  return format.format(instant);
}

const minuteSeconds = 60;
const hourSeconds = 3_600;
const daySeconds = 86_400;
const relative = new Intl.RelativeTimeFormat('en');

/** `5 minutes ago`, `1 day ago`; after a week the date. The title has the timestamp. */
export function formatAgo(instant: Date, now: Date, timeZone: string): Html {
  const seconds = Math.max(0, Math.floor((now.getTime() - instant.getTime()) / 1_000));
  if (seconds >= 7 * daySeconds) return formatTimestamp(instant, timeZone);
  const absolute = absoluteTime(instant, timeZone);
  return html`<time datetime="${instant.toISOString()}" title="${absolute}">${ago(seconds)}</time>`;
}

function ago(seconds: number): string {
  if (seconds < minuteSeconds) return 'just now';
  if (seconds < hourSeconds) return relative.format(-Math.floor(seconds / minuteSeconds), 'minute');
  if (seconds < daySeconds) return relative.format(-Math.floor(seconds / hourSeconds), 'hour');
  return relative.format(-Math.floor(seconds / daySeconds), 'day');
}

/** `in 40 seconds`, `in 14 minutes`: rounded up, so that the wait is always long enough. */
export function formatWait(seconds: number): string {
  const [count, unit] = seconds <= 90 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return `in ${count} ${unit}${count === 1 ? '' : 's'}`;
}
