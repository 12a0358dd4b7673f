import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Logger } from '#shared/logging/logger.ts';
import type { CurrentKey, SigningKeys } from '../keys/signing-keys.ts';
import { Provider } from './oidc-provider.ts';
import { type AdapterOptions, createProviderAdapter } from './provider-adapter.ts';
import { providerConfiguration } from './provider-configuration.ts';
import { handOverResults, renderErrorLater } from './provider-outcome.ts';
import { ProviderSigningKey } from './provider-signing-key.ts';

type HandleRequest = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

export type OAuthProvider = { provider: Provider; handle: HandleRequest };

/** The package's instance for the key that signs now. */
export type ProviderSource = { current(): Promise<OAuthProvider> };

export type ProviderSourceOptions = AdapterOptions & {
  signingKeys: SigningKeys;
  logger: Logger;
  pageSecret: Buffer;
};

/**
 * The package takes its keys at construction, so a rotation brings a new instance; it keeps nothing but caches, and
 * what is under way goes on with either.
 */
export function createProviderSource(options: ProviderSourceOptions): ProviderSource {
  let known: (OAuthProvider & { keyId: string }) | undefined;
  return {
    async current() {
      const key = await options.signingKeys.current();
      if (known?.keyId === key.keyId) return known;
      const provider = createProvider(options, key);
      known = { keyId: key.keyId, provider, handle: provider.callback() };
      return known;
    },
  };
}

function createProvider(options: ProviderSourceOptions, key: CurrentKey): Provider {
  const { config, pageSecret } = options;
  const provider = new Provider(
    config.baseUrl,
    providerConfiguration({
      config,
      adapter: createProviderAdapter(options),
      renderError: renderErrorLater,
      cookieKey: pageSecret.toString('base64url'),
      signingKey: new ProviderSigningKey(key),
    }),
  );
  // Together with forwardedAs(): URLs and the cookies' Secure depend on BASE_URL, never on a request (RFC 9700 §4.13).
  provider.proxy = true;
  handOverResults(provider);
  return provider;
}
