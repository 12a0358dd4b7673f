/** Where browsers enforce Trusted Types: the compiler's library has no types of them. */
interface Window {
  readonly trustedTypes?: {
    createPolicy<Rules extends Record<string, (text: string) => string>>(name: string, rules: Rules): Rules;
  };
}
