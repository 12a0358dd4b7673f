/** Makes it once, when needed. A page's first `Intl` object takes long: a visit asks for its rows before. */
export function atFirstUse<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
