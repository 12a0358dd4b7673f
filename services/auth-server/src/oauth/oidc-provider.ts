import './runtime-release.ts';

/** The one place that imports the package: what must come before it comes before it everywhere. */
export { default as Provider, ExternalSigningKey, errors, interactionPolicy } from 'oidc-provider';
