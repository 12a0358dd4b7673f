import fc from 'fast-check';

const markdown = [
  '* ** _ __ ~~ ` `` [ ]( ) ![ [a] [a](http://a.test) ] | > ( \\ & &lt; &#60;b&#62; " \' a é 😀 ¨ $ ! : = + ... www.a.test http://a.test/b_(c) x@a.test'.split(
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

/** Notes put together from Markdown's marks, in any order. */
export const markdownNotes = fragments(markdown);
/** Notes put together from Markdown's marks and from tags that parsers treat in ways of their own. */
export const rawHtmlNotes = fragments([...markdown, ...tags]);

function fragments(parts: readonly string[]): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...parts), { maxLength: 25 }).map((list) => list.join(''));
}
