import { type Html, html } from '#shared/html/html.ts';
import { isTimeZone } from '#shared/time/calendar-date.ts';

/**
 * Current names. Runtimes list a zone by its first name in Unicode's data (UTS #35, Time Zone Identifiers).
 * The IANA database has renamed these since (its file `backward`), and browsers report either name.
 */
const formerNames: Readonly<Record<string, string>> = {
  'Africa/Asmara': 'Africa/Asmera',
  'America/Argentina/Buenos_Aires': 'America/Buenos_Aires',
  'America/Argentina/Catamarca': 'America/Catamarca',
  'America/Argentina/Cordoba': 'America/Cordoba',
  'America/Argentina/Jujuy': 'America/Jujuy',
  'America/Argentina/Mendoza': 'America/Mendoza',
  'America/Atikokan': 'America/Coral_Harbour',
  'America/Indiana/Indianapolis': 'America/Indianapolis',
  'America/Kentucky/Louisville': 'America/Louisville',
  'America/Nuuk': 'America/Godthab',
  'Asia/Ho_Chi_Minh': 'Asia/Saigon',
  'Asia/Kathmandu': 'Asia/Katmandu',
  'Asia/Kolkata': 'Asia/Calcutta',
  'Asia/Yangon': 'Asia/Rangoon',
  'Atlantic/Faroe': 'Atlantic/Faeroe',
  'Europe/Kyiv': 'Europe/Kiev',
  'Pacific/Chuuk': 'Pacific/Truk',
  'Pacific/Kanton': 'Pacific/Enderbury',
  'Pacific/Pohnpei': 'Pacific/Ponape',
};

const namesToday = new Map(Object.entries(formerNames).map(([name, formerName]) => [formerName, name]));

const listed = Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC');
const timeZones = ['UTC', ...listed.map((name) => namesToday.get(name) ?? name).sort()];

/** The runtime's time zones as options of a select, and `selected` if it is another name. */
export function timeZoneOptions(selected: string): Html {
  const isMissing = !timeZones.includes(selected) && isTimeZone(selected);
  const names = isMissing ? [selected, ...timeZones] : timeZones;
  return html`${names.map((name) => timeZoneOption(name, name === selected))}`;
}

/** The former name lets the page's script match the browser's zone. */
function timeZoneOption(name: string, isSelected: boolean): Html {
  const formerName = formerNames[name];
  const former = formerName !== undefined && html` data-former-name="${formerName}"`;
  return html`<option${former}${isSelected && html` selected`}>${name}</option>\n`;
}
