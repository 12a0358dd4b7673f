/** Why there is nothing to rehearse, in words for whoever asked for it. */
export class RehearsalRefused extends Error {}
