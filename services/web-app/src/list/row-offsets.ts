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
    let low = 0;
    let high = Math.max(this.#tops.length - 2, 0);
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.top(middle) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
