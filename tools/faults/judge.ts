/** The sentences whose condition holds: what of a goal was missed. */
export function missesOf(
  ...conditions: readonly (readonly [isMissed: boolean, sentence: string])[]
): string[] {
  return conditions.flatMap(([isMissed, sentence]) => (isMissed ? [sentence] : []));
}
