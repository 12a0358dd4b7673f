import { type Html, html } from '../html/html.ts';
import { productName } from '../html/text.ts';
import type { MailMessage } from './mail-transport.ts';

/** `list` stands below the paragraphs. `facts`: what a notice names, by its label. `link`: where to act. */
export type MailContent = {
  subject: string;
  paragraphs: readonly string[];
  list?: readonly MailListItem[];
  facts?: readonly (readonly [label: string, value: string])[];
  link?: { label: string; url: string };
  /** Below a rule: why the message was sent. */
  footnote: string;
  /** At the end of the footnote. */
  footnoteLink?: { label: string; url: string };
};

/** `detail` follows the text. */
type MailListItem = { text: string; detail?: string; url?: string };

const style = {
  body: 'margin:0;padding:24px 16px;background:#f6f5f2;color:#23211c;font:16px/1.5 system-ui,sans-serif',
  card: 'max-width:520px;margin:0 auto;padding:24px;background:#fff;border-radius:12px;overflow-wrap:anywhere',
  heading: 'margin:0 0 16px;font-size:22px;line-height:1.3',
  button:
    'display:inline-block;padding:12px 20px;border-radius:8px;background:#2c5fd0;color:#fff;text-decoration:none',
  muted: 'color:#6b675e;font-size:14px',
  list: 'padding-left:20px',
  label: 'white-space:nowrap;padding:2px 16px 2px 0;color:#6b675e;vertical-align:top',
};

/** A message with the same words as text and as HTML, readable at any width. */
export function composeMail(to: string, content: MailContent): MailMessage {
  const { subject, paragraphs, list = [], facts = [], link, footnote, footnoteLink } = content;
  const text = [
    ...paragraphs,
    ...(list.length > 0 ? [list.map(listItemText).join('\n')] : []),
    ...(facts.length > 0 ? [facts.map(([label, value]) => `${label}: ${value}`).join('\n')] : []),
    ...(link ? [`${link.label}:\n${link.url}`] : []),
    `-- \n${footnote}${footnoteLink ? ` ${footnoteLink.label}: ${footnoteLink.url}` : ''}`,
  ].join('\n\n');
  return { to, subject: `${subject} · ${productName}`, text, html: renderHtml(content).text };
}

function listItemText({ text, detail, url }: MailListItem): string {
  return `• ${text}${detail ? ` (${detail})` : ''}${url ? `\n  ${url}` : ''}`;
}

function listItem({ text, detail, url }: MailListItem): Html {
  return html`<li>${url ? html`<a href="${url}">${text}</a>` : text}${detail && ` (${detail})`}</li>`;
}

function renderHtml(content: MailContent): Html {
  const { subject, paragraphs, list = [], facts = [], link, footnote, footnoteLink } = content;
  const rows = facts.map(
    ([label, value]) => html`<tr><td style="${style.label}">${label}</td><td>${value}</td></tr>`,
  );
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${subject}</title></head>
<body style="${style.body}">
<main style="${style.card}">
<h1 style="${style.heading}">${subject}</h1>
${paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}
${list.length > 0 && html`<ul style="${style.list}">${list.map(listItem)}</ul>`}
${rows.length > 0 && html`<table role="presentation">${rows}</table>`}
${link && html`<p><a href="${link.url}" style="${style.button}">${link.label}</a></p><p style="${style.muted}">${link.url}</p>`}
<hr>
<p style="${style.muted}">${footnote}${footnoteLink && html` <a href="${footnoteLink.url}">${footnoteLink.label}</a>`}</p>
</main>
</body>
</html>
`;
}
