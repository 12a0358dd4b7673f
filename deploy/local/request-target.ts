export type RequestTarget = {
  /** As it came, without the query: nothing is decoded or normalised. */
  pathname: string;
  /** What is sent on: path and query in origin form (RFC 9112 §3.2.1). */
  originForm: string;
  /** The host named by a target in absolute form, which outranks the Host header (RFC 9112 §3.2.2). */
  authority: string | undefined;
};

const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)(.*)$/is;

/** Undefined for the forms that name no path: `*` and `host:port`. */
export function parseRequestTarget(target: string): RequestTarget | undefined {
  const absolute = ABSOLUTE_FORM.exec(target);
  const rest = absolute ? (absolute[2] ?? '') : target;
  const originForm = absolute && !rest.startsWith('/') ? `/${rest}` : rest;
  if (!originForm.startsWith('/')) return undefined;
  const pathname = originForm.split(/[?#]/, 1)[0] ?? '';
  return { pathname, originForm, authority: absolute?.[1] };
}
