import { fieldsOf, stringAt } from '../contract/json.ts'
import type { RecordedDelivery } from '../history.ts'
import type { Exchange } from '../model/exchange.ts'
import type { Credentials } from '../send/identities.ts'
import { createMask, type Mask } from '../send/mask.ts'
import type { Evidence as Event } from './report.ts'
import type { Evidence } from './result.ts'

/** Masks the secrets of a run, and shows its exchanges. */
export interface Shower {
  /** Learns the secrets of an exchange. */
  see(exchange: Exchange): void
  text(text: string): string
  evidence(event: Event): Evidence
}

interface ShowerOptions {
  /** Base URL of the service. */
  readonly base: string
  readonly partner?: Partial<Credentials> & { readonly token?: string }
  readonly other?: ShowerOptions['partner']
}

/** Fields of a response that are secret by name. */
const SECRETS = ['access_token', 'refresh_token', 'secret']

export function createShower({ base, partner, other }: ShowerOptions): Shower {
  const mask = createMask()
  const variables = new Map<string, string>()
  for (const [prefix, access] of [
    ['', partner],
    ['OTHER_', other],
  ] as const)
    for (const [secret, name] of secretsOf(access, prefix)) {
      mask.pin(secret, `$${name}`)
      variables.set(secret, name)
    }
  const text = (it: string) =>
    mask
      .pieces(it)
      .map((piece) => piece.text)
      .join('')
  const authorization = (exchange: Exchange) => authorizationOf(exchange, { variables, partner, other })
  return {
    text,
    see: (exchange) => learn(mask, exchange),
    evidence: (event) =>
      event.type === 'delivery' ? deliveryOf(event, text) : evidenceOf(event, { base, text, authorization }),
  }
}

function secretsOf(access: ShowerOptions['partner'], prefix: string): [secret: string, name: string][] {
  const { clientKey = '', clientSecret = '', token = '' } = access ?? {}
  const basic = clientSecret && btoa(`${clientKey}:${clientSecret}`)
  const forms = [clientSecret, encodeURIComponent(clientSecret), JSON.stringify(clientSecret).slice(1, -1)]
  const named = [
    [basic, `${prefix}CREDENTIALS`],
    [token, `${prefix}TOKEN`],
    ...forms.map((it) => [it, prefix === '' ? 'CLIENT_SECRET' : 'OTHER_SECRET']),
  ] as [string, string][]
  return named.filter(([secret]) => secret !== '')
}

/** Masks what an exchange sends as credentials, and what its response issues. */
function learn(mask: Mask, { request, shown }: Exchange): void {
  const { authorization = '' } = request.headers
  for (const it of [authorization, authorization.slice(authorization.indexOf(' ') + 1)])
    if (it.length > SHORTEST) mask.add(it, '***')
  for (const name of SECRETS) {
    const secret = stringAt(fieldsOf(shown), `/${name}`)
    if (secret !== undefined) mask.add(secret, '***')
  }
}

/** What is shorter is no token, but may be part of any word. */
const SHORTEST = 7

interface Known {
  readonly variables: ReadonlyMap<string, string>
  readonly partner: ShowerOptions['partner']
  readonly other: ShowerOptions['partner']
}

/** The header as a word of a shell; an empty one if none was sent, and undefined if it cannot be sent again. */
function authorizationOf(
  { request, by }: Exchange,
  { variables, partner, other }: Known,
): string | undefined {
  const { authorization } = request.headers
  if (authorization === undefined) return ''
  const [scheme = '', secret = ''] = authorization.split(' ', 2)
  const name =
    variables.get(secret) ??
    (by && by.customer === undefined
      ? by.partner === partner?.clientKey
        ? 'TOKEN'
        : by.partner === other?.clientKey && 'OTHER_TOKEN'
      : undefined)
  return name ? ` -H "authorization: ${scheme} $${name}"` : undefined
}

interface Showing {
  readonly base: string
  readonly text: (text: string) => string
  readonly authorization: (exchange: Exchange) => string | undefined
}

function evidenceOf(exchange: Exchange, { base, text, authorization }: Showing): Evidence {
  const { request, response } = exchange
  const requestId = response?.headers['x-request-id']
  return {
    curl: curlOf(exchange, base, text, authorization(exchange)),
    method: request.method,
    path: text(request.path),
    status: response?.status,
    request: truncated(request.body ?? '', text),
    response: truncated(response?.text ?? '', text),
    requestId: requestId === undefined ? undefined : text(String(requestId)),
  }
}

function deliveryOf({ url, text: body, status }: RecordedDelivery, text: (it: string) => string): Evidence {
  const none = { curl: undefined, response: '', requestId: undefined }
  return { ...none, method: 'POST', path: text(url), status, request: truncated(body, text) }
}

/** Characters of a body in a report. */
const MOST = 2_000

/** Masks before it truncates, so that no secret is cut in two. */
function truncated(body: string, text: (it: string) => string): string {
  const masked = text(body.slice(0, 6 * MOST))
  return body.length <= MOST && masked.length <= MOST
    ? masked
    : `${masked.slice(0, MOST)}… (${body.length.toLocaleString('en-US')} characters)`
}

function curlOf(
  { request: { method, path, headers, body = '' } }: Exchange,
  base: string,
  text: (it: string) => string,
  authorization: string | undefined,
): string | undefined {
  if (authorization === undefined || body.length > MOST || text(path + body) !== path + body) return undefined
  const type = headers['content-type']
  const data = body && ` --data-raw ${quoted(body)}`
  const typed = type === undefined ? '' : ` -H ${quoted(`content-type: ${type}`)}`
  // curl would remove dot segments, and send one request for each value of `[1-3]` or `{a,b}`.
  return `curl -sS -i --path-as-is --globoff -X ${method}${authorization}${typed}${data} ${quoted(base + path)}`
}

/** Quotes text as one word of a POSIX shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** POSIX shell commands, one per line, that set the variables of `curl`. They read keys and secrets from the environment. */
export function signInCommands(base: string, hasOther: boolean): string {
  const url = quoted(`${base}/mobile-bff/v1/auth/partner/token/`)
  return (hasOther ? ['', 'OTHER_'] : [''])
    .flatMap((it) => {
      const pair = it === '' ? '$CLIENT_KEY:$CLIENT_SECRET' : '$OTHER_KEY:$OTHER_SECRET'
      const read = `sed -n 's/.*"access_token" *: *"\\([^"]*\\)".*/\\1/p'`
      return [
        `${it}CREDENTIALS=$(printf %s "${pair}" | base64 | tr -d '\\n')`,
        `${it}TOKEN=$(curl -sS -X POST -H "authorization: Basic $${it}CREDENTIALS" ${url} | ${read})`,
      ]
    })
    .join('\n')
}
