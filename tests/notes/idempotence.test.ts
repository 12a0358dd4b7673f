import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import fc from 'fast-check';
import { renderMarkdown } from '#resource-api/notes/render-markdown.ts';
import { sanitiseHtml } from '#resource-api/notes/sanitise-html.ts';

const markdown = [
  '* ** _ __ ~~ ` `` [ ]( ) ![ [a] [a](http://a.test) ] | > ( \\ & &lt; &#60;b&#62; " \' a é 😀 ¨ $ ! : = + www.a.test x@a.test'.split(
    ' ',
  ),
  [
    ' ',
    '\n',
    '\n\n',
    '```\n',
    '# ',
    '- ',
    '- [x] ',
    '1. ',
    '    ',
    '\t',
    '---\n',
    '| a | b |\n|---|---|\n',
    '[a]: http://a.test "t"\n',
  ],
].flat();
const html =
  'a b i p table tr td th tbody caption col ul li dl dt dd pre code button form svg math mtext style title textarea select option ' +
  'h1 blockquote details summary template noscript font nobr div ins em input img br hr x-y';
const tags = html
  .split(' ')
  .flatMap((name) => [
    `<${name}>`,
    `</${name}>`,
    `<${name} href="http://a.test" title='"<' style="text-align:left;" src=x alt="y<" type=checkbox is=x>`,
  ]);

/** A turn of the event loop between samples, as there is one between renderings: jsdom frees nothing within. */
async function isSettled(notes: string): Promise<boolean> {
  await setImmediate();
  const rendering = renderMarkdown(notes);
  return sanitiseHtml(rendering) === rendering && rendering.isWellFormed();
}

const fragments = (...parts: string[]) =>
  fc.array(fc.constantFrom(...parts), { maxLength: 25 }).map((list) => list.join(''));

test('sanitising the rendering of Markdown again changes nothing', async (t) => {
  await t.notThrowsAsync(
    fc.assert(fc.asyncProperty(fragments(...markdown), isSettled), { seed: 61, numRuns: 600 }),
  );
});

test('sanitising the rendering of raw HTML again changes nothing', async (t) => {
  await t.notThrowsAsync(
    fc.assert(fc.asyncProperty(fragments(...markdown, ...tags), isSettled), { seed: 62, numRuns: 600 }),
  );
});

test('raw HTML that takes a second look to settle gets it', (t) => {
  const once = sanitiseHtml('<p><button><p>a</p></button></p>');
  t.not(sanitiseHtml(once), once);
  const rendering = renderMarkdown('<p><button><p>a</p></button></p>');
  t.is(sanitiseHtml(rendering), rendering);
});
