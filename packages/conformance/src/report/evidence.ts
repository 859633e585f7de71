import { isSecretName } from '@partner-payments/contract'
import { endOfString } from '../contract/json.ts'
import type { RecordedDelivery } from '../history.ts'
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
    const isWhole = body.length <= MOST && masked.length <= MOST
    if (isWhole) return masked
    return `${masked.slice(0, MOST)}… (${body.length.toLocaleString('en-US')} characters)`
  }

  /**
   * The header as a word of a shell; an empty one if none was sent, and undefined if it cannot be
   * sent again.
   */
  function authorizationOf({ request: { headers }, by }: Exchange): string | undefined {
    if (headers.authorization === undefined) return ''
    const [scheme = '', secret = ''] = headers.authorization.split(' ', 2)
    const variable = nameOf.get(secret) ?? tokenVariableOf(by)
    return variable === undefined ? undefined : ` -H "authorization: ${scheme} $${variable}"`
  }

  /** The variable that stands for any token of a partner; undefined if there is none. */
  function tokenVariableOf(by: Exchange['by']): string | undefined {
    if (by === undefined || by.customer !== undefined) return undefined
    if (by.partner === partner?.clientKey) return 'TOKEN'
    if (by.partner === other?.clientKey) return 'OTHER_TOKEN'
    return undefined
  }

  function curlOf(exchange: Exchange): string | undefined {
    const { method, path, headers, body = '' } = exchange.request
    const authorization = authorizationOf(exchange)
    if (authorization === undefined) return undefined
    const hasSecret = text(path + body) !== path + body
    if (hasSecret || body.length > MOST) return undefined

    // curl would remove dot segments, and send one request for each value of `[1-3]` or `{a,b}`.
    let command = `curl -sS -i --path-as-is --globoff -X ${method}${authorization}`
    const type = headers['content-type']
    if (type !== undefined) command += ` -H ${quoted(`content-type: ${type}`)}`
    if (body !== '') command += ` --data-raw ${quoted(body)}`
    return `${command} ${quoted(base + path)}`
  }

  function deliveryEvidence({ url, status, text: body }: RecordedDelivery): Evidence {
    return {
      curl: undefined,
      response: '',
      requestId: undefined,
      method: 'POST',
      path: text(url),
      status,
      request: truncated(body),
    }
  }

  return {
    /**
     * Masks a message of a rule. A secret that is one of its own words is masked in quoted values
     * only.
     */
    message(sentence: string): string {
      const isWord = (secret: string) => words.has(secret)
      const parts = splitAtQuotes(sentence)
      const masked = parts.map((part) => (part.startsWith('"') ? text(part) : text(part, isWord)))
      return masked.join('')
    },
    /**
     * Learns the secrets of an exchange: what it sends as credentials, and what its bodies have
     * under the name of a secret.
     */
    see({ request, sent, shown }: Exchange): void {
      const { authorization = '' } = request.headers
      const withoutScheme = authorization.slice(authorization.indexOf(' ') + 1)
      for (const credentials of [authorization, withoutScheme])
        if (credentials.length > SHORTEST) mask.add(credentials, '***')
      for (const secret of secretsIn(shown)) mask.add(secret, '***')
      for (const secret of secretsIn(sent)) mask.add(secret, '***')
    },
    evidence(event: Found['evidence']): Evidence {
      if (event.type === 'delivery') return deliveryEvidence(event)
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

/** Levels of a body in which secrets are looked for. */
const DEEPEST = 10

/** The strings in a body whose fields have the name of a secret. */
function secretsIn(value: unknown, isSecret = false, depth = 0): string[] {
  if (typeof value === 'string') return isSecret ? [value] : []
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return []

  // An index is no name.
  if (Array.isArray(value)) return value.flatMap((item) => secretsIn(item, isSecret, depth + 1))
  return Object.entries(value).flatMap(([name, inside]) =>
    secretsIn(inside, isSecret || isSecretField(name), depth + 1),
  )
}

/** Names of fields that were seen, which are few and come again. */
const seenNames = new Map<string, boolean>()
const MOST_NAMES = 5_000

function isSecretField(name: string): boolean {
  const seen = seenNames.get(name)
  if (seen !== undefined) return seen

  if (seenNames.size >= MOST_NAMES) seenNames.clear()
  const isSecret = isSecretName(name)
  seenNames.set(name, isSecret)
  return isSecret
}

/** The secrets of a partner, and the variables that stand for them. */
function secretsOf(access: Access = {}, prefix: '' | 'OTHER_'): [secret: string, name: string][] {
  const { clientKey = '', clientSecret = '', token = '' } = access
  const secrets: [string, string][] = []
  if (clientSecret !== '')
    secrets.push([btoa(`${clientKey}:${clientSecret}`), `${prefix}CREDENTIALS`])
  if (token !== '') secrets.push([token, `${prefix}TOKEN`])
  if (clientSecret !== '') {
    const variable = prefix === '' ? 'CLIENT_SECRET' : 'OTHER_SECRET'
    // As it is, in a URL, and in JSON.
    secrets.push([clientSecret, variable])
    secrets.push([encodeURIComponent(clientSecret), variable])
    secrets.push([JSON.stringify(clientSecret).slice(1, -1), variable])
  }
  return secrets
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

  function commandsFor(prefix: '' | 'OTHER_', given: 'CLIENT' | 'OTHER'): string[] {
    return [
      `${prefix}CREDENTIALS=$(printf %s "$${given}_KEY:$${given}_SECRET" | base64 | tr -d '\\n')`,
      `${prefix}TOKEN=$(curl -sS -X POST -H "authorization: Basic $${prefix}CREDENTIALS" ${url} | ${read})`,
    ]
  }

  const commands = commandsFor('', 'CLIENT')
  if (hasOther) commands.push(...commandsFor('OTHER_', 'OTHER'))
  return commands.join('\n')
}

/** What is outside of quotes and each quoted value, in order. */
function splitAtQuotes(sentence: string): string[] {
  const parts: string[] = []
  let start = 0
  while (start < sentence.length) {
    const isQuoted = sentence[start] === '"'
    const end = isQuoted ? endOfString(sentence, start) : indexOfQuote(sentence, start)
    parts.push(sentence.slice(start, end))
    start = end
  }
  return parts
}

/** The index of the next quote; the length of the sentence if there is none. */
function indexOfQuote(sentence: string, start: number): number {
  const index = sentence.indexOf('"', start)
  return index < 0 ? sentence.length : index
}
