/** Notes as a diligent writer would fill them, with everything Markdown has, up to a length. */
export function sampleNotes(length: number): string {
  let notes = '';
  for (let number = 1; notes.length < length; number++) notes += section(number);
  return notes.slice(0, length);
}

function section(number: number): string {
  return `# Part ${number}

Some *ordinary* words with **weight**, \`code\` and a [link](https://a.test/${number} "title") to https://b.test/?q=${number}.
A second line to bob@a.test, with a snake_case_word and ~~an error~~.

- one thing
- another
  - within it
- [ ] open
- [x] done

1. first
2. second

| a | b |
|---|--:|
| 1 | **2** |

> quoted words
> and more of them

\`\`\`ts
const numbers: Map<string, number[]> = [1, 2].map((value) => value < ${number});
\`\`\`

`;
}
