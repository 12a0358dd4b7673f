/** Every fault of the environment at once, so that an operator mends them in one go. */
export class ConfigError extends Error {
  constructor(faults: readonly string[]) {
    super(`The environment is not valid:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}
