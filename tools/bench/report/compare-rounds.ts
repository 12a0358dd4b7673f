import { type Estimate, eachRound, estimateOf, median, type Starts } from '../estimate.ts';
import { type Block, type Round, rateOf } from '../measure/interleave.ts';
import { describeRatio, type Finding, type Goal, type Pair, stateOf } from './finding.ts';

type Names<Name extends string> = { ours: Name; reference: Name };

export type Comparison<Name extends string> = Goal &
  Names<Name> & {
    /** What a reference measures that only drives a store: its rate is the store's, its own time says nothing. */
    referenceMeasures?: 'store';
  };

/** A server that was at work for less of its blocks waited for something else: the stores or the client were the limit of its rate. */
const leastBusy = 0.9;

/**
 * Requests a second against the reference's where the bound is a least ratio; where it is a greatest one, the time of
 * a request against the reference's. Both in pairs of neighbouring blocks. The outcome follows from the ratio of
 * processor times where one of the two was not busy, unless waiting is what the reference is for.
 */
export function compareRates<Name extends string>(
  starts: Starts<Round<Name>>,
  comparison: Comparison<Name>,
): Finding {
  const busy = bothOf(starts, comparison, (block) => block.busy);
  const idle = [busy.ours < leastBusy && 'ours', busy.reference < leastBusy && 'the reference'].filter(
    Boolean,
  );
  if (idle.length === 0 || comparison.referenceMeasures === 'store')
    return compareBlocks(starts, comparison, 'rates');
  const reason = `by processor time: ${idle.join(' and ')} ${idle.length > 1 ? 'were' : 'was'} not busy`;
  const note = [comparison.note, reason].filter(Boolean).join('; ');
  return compareBlocks(starts, { ...comparison, note }, 'processorTimes');
}

/** As `compareRates`, of the server's processor time per request. */
export function compareProcessorTime<Name extends string>(
  starts: Starts<Round<Name>>,
  comparison: Comparison<Name>,
): Finding {
  return compareBlocks(starts, comparison, 'processorTimes');
}

/** What is shown for information: as `compareRates`, and no goal. */
export function tellRates<Name extends string>(
  starts: Starts<Round<Name>>,
  told: Pick<Finding, 'id' | 'what'> & Names<Name>,
): Finding {
  const { bound, ...finding } = compareRates(starts, { ...told, goal: 'none', bound: { atLeast: 0 } });
  return { ...finding, state: 'told' };
}

/** What one request takes of each process. */
export function timesOf(starts: Starts<Block>): Required<Pick<Finding, 'processor' | 'stores'>> {
  const of = (part: keyof Block['processor']) =>
    median(starts.flat().map(({ processor }) => processor[part]));
  return { processor: { ours: of('server') }, stores: { database: of('database'), redis: of('redis') } };
}

function compareBlocks<Name extends string>(
  starts: Starts<Round<Name>>,
  comparison: Comparison<Name>,
  decisive: 'rates' | 'processorTimes',
): Finding {
  const { ours, reference, referenceMeasures, ...told } = comparison;
  const isRate = 'atLeast' in told.bound;
  const compare = (figureOf: (block: Block) => number): Estimate =>
    estimateOf(
      eachRound(starts, (round) => {
        const [our, their] = [figureOf(round[ours]), figureOf(round[reference])];
        return isRate ? our / their : their / our;
      }),
    );
  const ratios = {
    rates: compare(rateOf),
    processorTimes: compare(({ processor }) => 1 / processor.server),
  };
  const estimate = ratios[decisive];
  const { stores } = timesOf(eachRound(starts, (round) => round[ours]));
  return {
    ...told,
    estimate,
    ratios,
    measured: describeRatio(estimate),
    state: stateOf(estimate, told.bound),
    busy: bothOf(starts, comparison, (block) => block.busy),
    processor: bothOf(starts, comparison, ({ processor }) => processor.server),
    stores,
  };
}

function bothOf<Name extends string>(
  starts: Starts<Round<Name>>,
  { ours, reference }: Names<Name>,
  figureOf: (block: Block) => number,
): Pair {
  const of = (name: Name) => median(starts.flat().map((round) => figureOf(round[name])));
  return { ours: of(ours), reference: of(reference) };
}
