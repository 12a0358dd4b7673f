const passedOn = ['PATH', 'NODE_COMPILE_CACHE'];

/**
 * The variables that programs of the project inherit from this process: none that they read themselves, and
 * the compile cache, which halves their load time.
 */
export const programEnvironment: Readonly<Record<string, string>> = Object.fromEntries(
  passedOn.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);
