import { nodeOf } from '../model/document.ts'
import type { HttpRequest } from '../model/http.ts'
import type { Mask } from '../transport/mask.ts'

/** Finds secrets in an exchange and masks them. */
export function maskSecrets(mask: Mask, request: HttpRequest, body: unknown): void {
  for (const [secret, name] of [...credentialsIn(request), ...namedIn(request, body)])
    for (const form of [secret, decoded(secret), encodeURIComponent(decoded(secret))]) mask.add(form, name)
}

type NamedSecret = readonly [secret: string, name: string]

/** From a bearer token or HTTP Basic (RFC 7617). */
function credentialsIn({ headers }: HttpRequest): NamedSecret[] {
  const [scheme = '', secret = ''] = (headers.authorization ?? '').split(/ +/, 2)
  if (scheme.toLowerCase() !== 'basic') return [[secret, '$TOKEN']]
  const [, password = ''] = /:(.*)/s.exec(Buffer.from(secret, 'base64').toString()) ?? []
  return [
    [secret, '$CREDENTIALS'],
    [password, '$CLIENT_SECRET'],
  ]
}

/** Fields and parameters that are secret by name. */
const SECRETS = ['access_token', 'refresh_token', 'secret', 'client_secret', 'password']

function namedIn({ path, body, headers }: HttpRequest, responseBody: unknown): NamedSecret[] {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '')
  const pairs = [...pairsIn(queryOf(path)), ...pairsIn(isForm ? body : '')]
  return [...pairs, ...Object.entries(nodeOf(responseBody))].flatMap(([name, value]) =>
    SECRETS.includes(name) && typeof value === 'string' ? [[value, `$${name.toUpperCase()}`] as const] : [],
  )
}

function queryOf(path: string): string {
  return path.split(/\?(.*)/s)[1] ?? ''
}

/** Values stay encoded. */
function pairsIn(text = ''): (readonly [name: string, value: string])[] {
  return text.split('&').map((it) => {
    const [name = '', value = ''] = it.trim().split(/=(.*)/s)
    return [decoded(name), value]
  })
}

/** Decodes a form or query value; an invalid one is kept. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
