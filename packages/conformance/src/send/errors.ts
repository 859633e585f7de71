/** The check cannot run; the message says why. */
export class CannotRun extends Error {
  override readonly name = 'CannotRun'
}

/** Why no response arrived, in one line, with advice on certificates. */
export function noResponseReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const [line = ''] = error.message.split('\n', 1)
  const code = 'code' in error ? String(error.code ?? '') : ''
  if (/^(ERR_SSL_|EPROTO)/.test(code))
    return `it does not speak TLS (${code}): is its URL http, and not https?`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `its certificate is for another name (${code}): ${line}`
  if (/CERT|UNABLE_TO_|CRL/.test(code))
    return `its certificate is not trusted (${code}): name the file of its authority in NODE_EXTRA_CA_CERTS`
  return [code, line].filter((it) => it !== '').join(': ')
}
