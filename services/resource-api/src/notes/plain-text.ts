const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\u00a0': '&nbsp;' };

/** Text as one paragraph, in the form a browser's own serialisation gives it. */
export function escapedParagraph(text: string): string {
  const escaped = text.replace(/[&<>\u00a0]/g, (character) => escapes[character] ?? character);
  return `<p>${escaped.replace(/\r\n?/g, '\n')}</p>`;
}

/** Words and the punctuation that means nothing to Markdown, from a letter or digit to no blank. */
const plainLine = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ,.;:!?'"()/%+#€$’‘“”„…–—-]*(?<! )$/u;
/** A numbered item, and what becomes a link. */
const hasMeaning = /^\d+\.|:\/\/|www\./i;

/**
 * Renders what Markdown would leave alone, which is most notes, without the cost of a conversion; undefined
 * for all else. The result is what the conversion would give.
 */
export function renderPlainText(markdown: string): string | undefined {
  const text = markdown.replace(/\r\n?/g, '\n');
  if (!hasPlainLines(text)) return undefined;
  return text
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replace(/^\n|\n$/g, ''))
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => `<p>${paragraph.replaceAll('\n', '<br>\n')}</p>`)
    .join('\n');
}

/** Ends at the first line that is not plain: most texts made to be slow show at once that they need a conversion. */
function hasPlainLines(text: string): boolean {
  return text.matchAll(/[^\n]+/g).every(([line]) => plainLine.test(line) && !hasMeaning.test(line));
}
