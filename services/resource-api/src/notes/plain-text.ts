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
  const lines = markdown.replace(/\r\n?/g, '\n').split('\n');
  const isPlain = lines.every((line) => line === '' || (plainLine.test(line) && !hasMeaning.test(line)));
  if (!isPlain) return undefined;
  return lines
    .join('\n')
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replace(/^\n|\n$/g, ''))
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => `<p>${paragraph.replaceAll('\n', '<br>\n')}</p>`)
    .join('\n');
}
