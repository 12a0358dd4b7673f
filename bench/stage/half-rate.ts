import { type Contender, rateOf } from '../measure/interleave.ts';
import { median } from '../paired-ratio.ts';
import type { Bench } from './bench.ts';

/** The median of so many says what is possible: a machine that does other work too is not always equally fast. */
const ratingBlocks = 5;

/** Warms a server up, then tells half the requests a second that it can answer. */
export async function halfOfPossibleRate<Name extends string>(
  { longestWarmUpMilliseconds, blockMilliseconds }: Bench,
  { run }: Contender<Name>,
): Promise<number> {
  await run(longestWarmUpMilliseconds);
  const rates: number[] = [];
  for (let block = 0; block < ratingBlocks; block += 1) rates.push(rateOf(await run(blockMilliseconds)));
  return median(rates) / 2;
}
