import type { Session } from '../session.ts';
import { confirmationHours } from './address-change-service.ts';
import { addMailLink, findMailLink } from './mail-link-repository.ts';

/** The secret of a link with which whoever reads the address's mail makes an account, once. */
export function startSignUp({ em, clock }: Pick<Session, 'em' | 'clock'>, email: string): Promise<string> {
  const expiresAt = new Date(clock.now().getTime() + confirmationHours * 3_600_000);
  return addMailLink(em, { kind: 'sign_up', email }, expiresAt);
}

/** The address that the link confirms; undefined for a link that does not count. Looking at it does not use it. */
export async function findSignUpAddress(
  { em, clock }: Pick<Session, 'em' | 'clock'>,
  secret: string,
): Promise<string | undefined> {
  return (await findMailLink(em, 'sign_up', secret, clock.now()))?.email;
}
