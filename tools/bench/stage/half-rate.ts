import { median } from '../estimate.ts';
import { type Contender, rateOf, warmUp } from '../measure/interleave.ts';
import type { Bench } from './bench.ts';

/** The median of so many says what is possible: a machine that does other work too is not always equally fast. */
const ratingBlocks = 3;

/** Warms a server up, then tells half the requests a second that it answers over 16 connections. */
export async function halfOfPossibleRate(bench: Bench, contender: Contender<string>): Promise<number> {
  await warmUp(contender, bench);
  const rates: number[] = [];
  for (let block = 0; block < ratingBlocks; block += 1)
    rates.push(rateOf(await contender.run(bench.blockMilliseconds)));
  return median(rates) / 2;
}
