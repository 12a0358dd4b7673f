/** Offsets of lines of known heights: prefix sums and the lines within a window of them. */
export class RowOffsets {
  readonly #tops: Float64Array;

  constructor(heights: readonly number[]) {
    this.#tops = new Float64Array(heights.length + 1);
    for (const [index, height] of heights.entries()) {
      this.#tops[index + 1] = (this.#tops[index] ?? 0) + height;
    }
  }

  get total(): number {
    return this.#tops.at(-1) ?? 0;
  }

  top(index: number): number {
    return this.#tops[index] ?? 0;
  }

  /** The line at this offset: the last one whose top is not below it. */
  indexAt(offset: number): number {
    return this.#tops.subarray(0, -1).findLastIndex((top) => top <= offset);
  }
}
