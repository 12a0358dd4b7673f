import { type Html, html } from '../html/html.ts';

/** A point in time, written for the account's zone; script shows it in the zone of whoever reads it. */
export function moment(instant: Date, timeZone: string): Html {
  const words = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  });
  return html`<time datetime="${instant.toISOString()}">${words.format(instant)}</time>`;
}
