import { type Html, html } from '#shared/html/html.ts';
import { productName } from '../html/text.ts';
import { darkColours, lightColours } from './mail-colours.ts';
import type { MailMessage } from './mail-transport.ts';

/** `list` is below the paragraphs. `facts`: of a notice, by label. `link`: where to act. */
export type MailContent = {
  subject: string;
  paragraphs: readonly string[];
  list?: readonly MailListItem[];
  facts?: readonly (readonly [label: string, value: string])[];
  link?: { label: string; url: string };
  /** Below a rule: why the message was sent. */
  footnote: string;
  /** For recurring messages, which users have chosen. */
  subscription?: { settingsUrl: string; unsubscribeUrl: string };
};

/** `detail` follows the text. */
type MailListItem = { text: string; detail?: string; url?: string };

const font = "font-family:'Segoe UI',system-ui,-apple-system,Roboto,sans-serif";
const usual = `${font};font-size:16px;line-height:24px`;
const fine = 'font-size:14px;line-height:20px';
const { side, surface, text, muted, line, accent, ...light } = lightColours;

/** Inline, for Gmail; on every cell, for Outlook, whose cells inherit no type. */
const style = {
  ground: `margin:0;padding:0;background:${side}`,
  layout: 'width:100%;table-layout:fixed',
  margin: 'padding:24px 16px',
  column: 'max-width:100%;table-layout:fixed',
  brand: `padding:0 8px 12px;color:${text};${usual};font-weight:600`,
  card:
    `padding:24px;border:1px solid ${line};border-radius:14px;background:${surface};` +
    `color:${text};${usual};overflow-wrap:anywhere`,
  heading: 'margin:0 0 16px;font-size:22px;line-height:28px',
  paragraph: 'margin:0 0 16px',
  list: 'margin:0 0 16px;padding-left:20px',
  facts: 'margin:0 0 16px',
  label: `padding:2px 16px 2px 0;color:${muted};${usual};white-space:nowrap;vertical-align:top`,
  value: `padding:2px 0;color:${text};${usual};overflow-wrap:anywhere`,
  button: `border-radius:10px;background:${light['accent-fill']};mso-padding-alt:12px 20px`,
  buttonLink:
    `display:inline-block;padding:12px 20px;border-radius:10px;color:${light['on-accent']};` +
    `${font};font-size:16px;line-height:20px;font-weight:600;text-decoration:none`,
  link: `color:${accent}`,
  address: `margin:16px 0 0;color:${muted};${fine}`,
  footnote: `margin:24px 0 0;padding-top:16px;border-top:1px solid ${line};color:${muted};${fine}`,
};

const dark = darkColours;
/** By class, over what is inline. */
const darkStyle = html`:root{color-scheme:light dark}
@media (prefers-color-scheme:dark){
.ground{background:${dark.side}!important}
.card{background:${dark.surface}!important;border-color:${dark.line}!important}
.text{color:${dark.text}!important}
.muted{color:${dark.muted}!important;border-color:${dark.line}!important}
.link{color:${dark.accent}!important}
.button{background:${dark['accent-fill']}!important}
}`;

/** A message with the same words as text and as HTML, readable at any width. */
export function composeMail(to: string, content: MailContent): MailMessage {
  const { subject, paragraphs, list = [], facts = [], link, footnote, subscription } = content;
  const text = [
    ...paragraphs,
    ...(list.length > 0 ? [list.map(listItemText).join('\n')] : []),
    ...(facts.length > 0 ? [facts.map(([label, value]) => `${label}: ${value}`).join('\n')] : []),
    ...(link ? [`${link.label}:\n${link.url}`] : []),
    [`-- \n${footnote}`, ...linksBelow(content).map(({ label, url }) => `${label}: ${url}`)].join('\n'),
  ].join('\n\n');
  return {
    to,
    subject: `${subject} · ${productName}`,
    text,
    html: renderHtml(content).text,
    ...(subscription && { unsubscribeUrl: subscription.unsubscribeUrl }),
  };
}

function linksBelow({ subscription }: MailContent): { label: string; url: string }[] {
  if (subscription === undefined) return [];
  const { settingsUrl, unsubscribeUrl } = subscription;
  return [
    { label: 'Change this', url: settingsUrl },
    { label: 'Unsubscribe', url: unsubscribeUrl },
  ];
}

function listItemText({ text, detail, url }: MailListItem): string {
  return `• ${text}${detail ? ` (${detail})` : ''}${url ? `\n  ${url}` : ''}`;
}

function listItem({ text, detail, url }: MailListItem): Html {
  return html`<li>${url ? anchor(text, url) : text}${detail && ` (${detail})`}</li>`;
}

function anchor(label: string, url: string): Html {
  return html`<a href="${url}" dir="auto" class="link" style="${style.link}">${label}</a>`;
}

/** Table cells, the only layout that Outlook supports. */
const table = html`table role="presentation" cellpadding="0" cellspacing="0" border="0"`;

function renderHtml(content: MailContent): Html {
  const { subject, paragraphs, list = [], facts = [], link, footnote } = content;
  const rows = facts.map(([label, value]) => {
    const name = html`<td class="muted" style="${style.label}">${label}</td>`;
    return html`<tr>${name}<td class="text" style="${style.value}">${value}</td></tr>`;
  });
  const below = linksBelow(content).map(({ label, url }) => html` · ${anchor(label, url)}`);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${subject}</title>
<style>${darkStyle}</style>
</head>
<body class="ground" style="${style.ground}">
<main><${table} class="ground" width="100%" style="${style.ground};${style.layout}">
<tr><td align="center" style="${style.margin}">
<${table} width="520" style="${style.column}">
<tr><td class="text" style="${style.brand}">${productName}</td></tr>
<tr><td class="card text" style="${style.card}">
<h1 dir="auto" style="${style.heading}">${subject}</h1>
${paragraphs.map((paragraph) => html`<p dir="auto" style="${style.paragraph}">${paragraph}</p>`)}
${list.length > 0 && html`<ul style="${style.list}">${list.map(listItem)}</ul>`}
${rows.length > 0 && html`<${table} style="${style.facts}">${rows}</table>`}
${link && button(link)}
<p class="muted" style="${style.footnote}">${footnote}${below}</p>
</td></tr>
</table>
</td></tr></table></main>
</body>
</html>
`;
}

function button({ label, url }: { label: string; url: string }): Html {
  const target = html`<a href="${url}" style="${style.buttonLink}">${label}</a>`;
  return html`<${table}><tr><td class="button" style="${style.button}">${target}</td></tr></table>
<p class="muted" style="${style.address}">${url}</p>`;
}
