/**
 * oidc-provider warns at import about a runtime that is no LTS release by name, which the newest one is not yet.
 * We choose and test the runtime; an operator could do nothing about the line but wonder.
 */
Object.assign(process.release, { lts: process.release.lts ?? process.version });
