import { type ValidToken, writeToken } from './written-token.ts';

/** What is no JWS in compact form (RFC 7515 §7.1), though a lenient reader might find one in it. */
export function tokenShapes(valid: ValidToken): Record<string, string> {
  const token = writeToken(valid, {});
  const [header = '', claims = '', signature = ''] = token.split('.');
  const json = { payload: claims, protected: header, signature };
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const jweHeader = encode({ alg: 'dir', enc: 'A256GCM', kid: valid.header.kid });
  return {
    'one part': header,
    'two parts': `${header}.${claims}`,
    'two parts and a point': `${header}.${claims}.`,
    'four parts': `${token}.${signature}`,
    'a point behind it': `${token}.`,
    'a point before it': `.${token}`,
    'points alone': '..',
    'five parts, as encrypted tokens have': `${jweHeader}..${signature.slice(0, 16)}.${claims}.${signature.slice(0, 22)}`,
    'five parts with a signed token inside': `${jweHeader}.${header}.${signature.slice(0, 16)}.${Buffer.from(token).toString('base64url')}.AAAA`,
    'its parts in another order': `${claims}.${header}.${signature}`,
    'no header': `.${claims}.${signature}`,
    'no claims': `${header}..${signature}`,
    'a header with = behind it': `${header}=.${claims}.${signature}`,
    'claims with == behind them': `${header}.${claims}==.${signature}`,
    'claims that are not encoded': `${header}.read.${signature}`,
    'JSON serialisation in base64url': encode(json),
    'general JSON serialisation in base64url': encode({ payload: claims, signatures: [json] }),
    'a token inside a token': writeToken(valid, { header: { cty: 'JWT' }, claims: JSON.stringify(token) }),
    'the whole token encoded once more': Buffer.from(token).toString('base64url'),
    'the token twice': `${token}${token}`,
    'an unsigned token before a signed one': `${encode({ alg: 'none' })}.${claims}..${token}`,
    'a header encoded twice': `${Buffer.from(header).toString('base64url')}.${claims}.${signature}`,
    'a personal token’s prefix before it': `tms_${token}`,
  };
}
