import { fieldsOf, stringAt } from '../contract/json.ts'
import type { Exchange } from '../model/exchange.ts'
import type { Credentials } from '../send/identities.ts'
import { createMask } from '../send/mask.ts'
import type { Found } from './report.ts'

/** An exchange or a delivery that shows a finding, with secrets masked. */
export interface Evidence {
  /**
   * A POSIX shell command that sends the request again. Its secrets are variables, which the
   * commands in `signIn` of the result set. Undefined if it cannot be sent alone: it contains a
   * secret, or its body was truncated.
   */
  readonly curl: string | undefined
  readonly method: string
  readonly path: string
  /** Undefined if no response arrived. */
  readonly status: number | undefined
  /** Bodies are truncated to 2,000 characters, followed by their length. */
  readonly request: string
  readonly response: string
  readonly requestId: string | undefined
}

export interface ShowerOptions {
  /** Base URL of the service, without a trailing slash. */
  readonly base: string
  readonly partner?: Access | undefined
  readonly other?: Access | undefined
  /** The words that messages have outside of quoted values, such as names of fields. */
  readonly words: ReadonlySet<string>
}

type Access = Partial<Credentials> & { readonly token?: string }

/** Fields of a response that are secret by name. */
const SECRETS = ['access_token', 'refresh_token', 'secret']
/** What is shorter is no token, but may be part of any word. */
const SHORTEST = 7
/** Characters of a body in a report. */
const MOST = 2_000

/** Masks the secrets of a run, and shows its exchanges. */
export function createShower({ base, partner, other, words }: ShowerOptions) {
  const mask = createMask()
  const { text } = mask
  const variables = [...secretsOf(partner, ''), ...secretsOf(other, 'OTHER_')]
  for (const [secret, name] of variables) mask.pin(secret, `$${name}`)
  const nameOf = new Map(variables)

  /** Masks before it truncates, so that no secret is cut in two. */
  function truncated(body: string): string {
    const masked = text(body.slice(0, 6 * MOST))
    return body.length <= MOST && masked.length <= MOST
      ? masked
      : `${masked.slice(0, MOST)}… (${body.length.toLocaleString('en-US')} characters)`
  }

  /**
   * The header as a word of a shell; an empty one if none was sent, and undefined if it cannot be
   * sent again.
   */
  function authorizationOf({ request: { headers }, by }: Exchange): string | undefined {
    if (headers.authorization === undefined) return ''
    const [scheme = '', secret = ''] = headers.authorization.split(' ', 2)
    const isPartner = by !== undefined && by.customer === undefined
    const own = isPartner && by.partner === partner?.clientKey && 'TOKEN'
    const others = isPartner && by.partner === other?.clientKey && 'OTHER_TOKEN'
    const name = nameOf.get(secret) ?? (own || others)
    return name ? ` -H "authorization: ${scheme} $${name}"` : undefined
  }

  function curlOf(exchange: Exchange): string | undefined {
    const { method, path, headers, body = '' } = exchange.request
    const authorization = authorizationOf(exchange)
    if (authorization === undefined || body.length > MOST || text(path + body) !== path + body)
      return undefined
    const type = headers['content-type']
    const data = body && ` --data-raw ${quoted(body)}`
    const typed = type === undefined ? '' : ` -H ${quoted(`content-type: ${type}`)}`
    // curl would remove dot segments, and send one request for each value of `[1-3]` or `{a,b}`.
    return `curl -sS -i --path-as-is --globoff -X ${method}${authorization}${typed}${data} ${quoted(base + path)}`
  }

  return {
    /**
     * Masks a message of a rule. A secret that is one of its own words is masked in quoted values
     * only.
     */
    message: (it: string) =>
      it
        .split(/("(?:[^"\\]|\\.)*(?:"|$))/)
        .map((part, i) => text(part, i % 2 === 0 ? (secret) => words.has(secret) : undefined))
        .join(''),
    /**
     * Learns the secrets of an exchange: what it sends as credentials, and what its response
     * issues.
     */
    see({ request, shown }: Exchange): void {
      const { authorization = '' } = request.headers
      for (const it of [authorization, authorization.slice(authorization.indexOf(' ') + 1)])
        if (it.length > SHORTEST) mask.add(it, '***')
      for (const name of SECRETS) {
        const secret = stringAt(fieldsOf(shown), `/${name}`)
        if (secret !== undefined) mask.add(secret, '***')
      }
    },
    evidence(event: Found['evidence']): Evidence {
      if (event.type === 'delivery') {
        const none = { curl: undefined, response: '', requestId: undefined }
        const request = truncated(event.text)
        return { ...none, method: 'POST', path: text(event.url), status: event.status, request }
      }
      const { request, response } = event
      const requestId = response?.headers['x-request-id']
      return {
        curl: curlOf(event),
        method: request.method,
        path: text(request.path),
        status: response?.status,
        request: truncated(request.body ?? ''),
        response: truncated(response?.text ?? ''),
        requestId: requestId === undefined ? undefined : text(String(requestId)),
      }
    },
  }
}

/** The secrets of a partner, and the variables that stand for them. */
function secretsOf(access: Access = {}, prefix: '' | 'OTHER_'): [secret: string, name: string][] {
  const { clientKey = '', clientSecret = '', token = '' } = access
  const forms = [
    clientSecret,
    encodeURIComponent(clientSecret),
    JSON.stringify(clientSecret).slice(1, -1),
  ]
  const all: [string, string][] = [
    [clientSecret && btoa(`${clientKey}:${clientSecret}`), `${prefix}CREDENTIALS`],
    [token, `${prefix}TOKEN`],
    ...forms.map((it): [string, string] => [it, prefix ? 'OTHER_SECRET' : 'CLIENT_SECRET']),
  ]
  return all.filter(([secret]) => secret !== '')
}

/** Quotes text as one word of a POSIX shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/**
 * POSIX shell commands, one per line, that set the variables of `curl`. They read keys and secrets
 * from the environment.
 */
export function signInCommands(base: string, hasOther: boolean): string {
  const url = quoted(`${base}/mobile-bff/v1/auth/partner/token/`)
  const read = `sed -n 's/.*"access_token" *: *"\\([^"]*\\)".*/\\1/p'`
  return (hasOther ? ['', 'OTHER_'] : [''])
    .flatMap((it) => [
      `${it}CREDENTIALS=$(printf %s "$${it || 'CLIENT_'}KEY:$${it || 'CLIENT_'}SECRET" | base64 | tr -d '\\n')`,
      `${it}TOKEN=$(curl -sS -X POST -H "authorization: Basic $${it}CREDENTIALS" ${url} | ${read})`,
    ])
    .join('\n')
}
