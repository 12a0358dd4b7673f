import { isTimeZone } from '#shared/time/calendar-date.ts';
import { type Html, html } from './html.ts';

const timeZones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')];

/** The time zones that this runtime knows, as options of a select; `selected` too where it is another name of one. */
export function timeZoneOptions(selected: string): Html {
  const isMissing = !timeZones.includes(selected) && isTimeZone(selected);
  const names = isMissing ? [selected, ...timeZones] : timeZones;
  return html`${names.map((name) => html`<option${name === selected && html` selected`}>${name}</option>\n`)}`;
}
