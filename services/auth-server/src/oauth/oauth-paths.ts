export const registerPath = '/oauth/register';
export const authorizePath = '/oauth/authorize';
export const tokenPath = '/oauth/token';
export const revokePath = '/oauth/revoke';
/** Followed by the interaction's uid: the page on which its user signs in and agrees. */
export const interactionPath = '/oauth/interaction';
