import test from 'ava';
import fc from 'fast-check';
import { escapedParagraph, renderPlainText } from '#resource-api/notes/plain-text.ts';
import { renderMarkdown } from '#resource-api/notes/render-markdown.ts';

const words =
  'Buy milk, wait... 2 litres; (or 3!) 50% a/b "c" don’t c# x+y $5 é 汉字 Ünï-cödé 1986. 3.5 www.a.test http://a.test'.split(
    ' ',
  );
const marks = [
  ' ',
  '  ',
  '\n',
  '\n\n',
  '\r\n',
  '- ',
  '1. ',
  '*',
  '# ',
  '> ',
  '|',
  '&',
  '<',
  '@',
  '_',
  '`',
  '=',
  '\t',
  '\u00a0',
];
const notes = fc
  .array(fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...words, ' ', ' ') }, fc.constantFrom(...marks)), {
    maxLength: 12,
  })
  .map((parts) => parts.join(''));

test('plain text is rendered as a conversion would render it', async (t) => {
  let plain = 0;
  const agree = async (markdown: string): Promise<boolean> => {
    const html = renderPlainText(markdown);
    if (html !== undefined && html !== '') plain += 1;
    return html === undefined || html === (await renderMarkdown(markdown));
  };
  await t.notThrowsAsync(fc.assert(fc.asyncProperty(notes, agree), { seed: 20, numRuns: 2_000 }));
  t.true(plain > 300, `${plain} of the samples were plain`);
});

test('most of what people jot down is plain text', (t) => {
  for (const text of [
    'Buy milk',
    'Call Ann (before 5!), then Bob: 3 items.',
    'Zähne putzen\nund schlafen',
    'Why? "Because."',
  ]) {
    t.is(renderPlainText(text), `<p>${text.replace('\n', '<br>\n')}</p>`);
  }
});

test('what Markdown gives a meaning to is not plain text', (t) => {
  for (const text of [
    '- a',
    '1. a',
    'a *b*',
    '# a',
    '> a',
    'a\n---',
    '  a',
    'a <b',
    'a & b',
    'a@b.test',
    'http://a.test',
    'www.a.test',
    'a | b',
    '[a]',
    'a\tb',
  ]) {
    t.is(renderPlainText(text), undefined, text);
  }
});

test('text that could not be converted is shown as it was typed', (t) => {
  t.is(escapedParagraph('<b>&amp;\u00a0"*a*"\r\nb'), '<p>&lt;b&gt;&amp;amp;&nbsp;"*a*"\nb</p>');
});
