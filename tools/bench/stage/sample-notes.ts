/** One kilobyte of Markdown as people write it. */
export const sampleNotes = [
  '# What is missing',
  '',
  'Some **bold** words, _others_ not, and a [link](https://example.com/catalogue?page=4).',
  '',
  '- boards, 18 mm, two of them',
  '- screws of four sizes',
  '- oil, a litre, and `the blue paint`',
  '',
  '> It was sold out last week.',
  '',
]
  .join('\n')
  .repeat(6)
  .slice(0, 1_024);
