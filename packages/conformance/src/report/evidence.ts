import { isSecretName } from '@partner-payments/contract'
import { endOfString, fieldsOf } from '../contract/json.ts'
import type { RecordedDelivery } from '../history.ts'
import type { Exchange } from '../model/exchange.ts'
import type { Credentials } from '../send/credentials.ts'
import { createMask } from './mask.ts'
import type { Found } from './report.ts'

/** An exchange or a delivery that shows a finding, with secrets masked. */
export interface Evidence {
  /**
   * A POSIX shell command that sends the request again. Its secrets are variables, which the
   * commands in `signIn` of the result set. Undefined if it cannot be sent alone: it contains a
   * secret, or its path or body was truncated.
   */
  readonly curl: string | undefined
  readonly method: string
  /** Paths, bodies and ids are truncated to 2,000 characters, followed by their length. */
  readonly path: string
  /** Undefined if no response arrived. */
  readonly status: number | undefined
  readonly request: string
  readonly response: string
  readonly requestId: string | undefined
}

export interface MaskerOptions {
  /** Base URL of the service, without a trailing slash. */
  readonly base: string
  readonly partner?: KnownAccess | undefined
  readonly other?: KnownAccess | undefined
  /** The words that messages have outside of quoted values, such as names of fields. */
  readonly words: ReadonlySet<string>
}

/** The credentials or the token of a partner, of which each part may be missing. */
type KnownAccess = Partial<Credentials> & { readonly token?: string }

/** A credential must be longer to be masked: a short one may be part of any word. */
const MAX_UNMASKED_LENGTH = 7
/** The length of a path or a body in a report, in characters. */
const MAX_TEXT_LENGTH = 2_000
/** So many characters are masked before a text is truncated. Masks may make it much shorter. */
const MAX_MASKED_LENGTH = 6 * MAX_TEXT_LENGTH
/** What stands before a token in its header: a scheme with a space, or nothing. */
const SCHEME_WITH_SPACE = /^(?:[\w-]+ )?$/

/** Masks the secrets of a run, and shows its exchanges. */
export function createEvidenceMasker({ base, partner, other, words }: MaskerOptions) {
  const mask = createMask()
  const maskText = mask.text
  const secrets = [...listPartnerSecrets(partner, ''), ...listPartnerSecrets(other, 'OTHER_')]
  for (const [secret, variable] of secrets) mask.pin(secret, `$${variable}`)
  const variableBySecret = new Map(secrets)

  /** Masks a secret of an exchange from now on, however it is written. */
  function addSecret(secret: string): void {
    for (const spelling of listSpellings(secret)) mask.add(spelling, '***')
  }

  /**
   * Masks and truncates a text: `{"id":"t1",… (5,120 characters)`. It masks first, so that no secret is cut in two;
   * only the beginning, since masking takes long.
   */
  function shortenText(text: string): string {
    const masked = maskText(text.slice(0, MAX_MASKED_LENGTH))
    const isWhole = text.length <= MAX_TEXT_LENGTH && masked.length <= MAX_TEXT_LENGTH
    if (isWhole) return masked
    return `${masked.slice(0, MAX_TEXT_LENGTH)}… (${text.length.toLocaleString('en-US')} characters)`
  }

  /**
   * Writes the header `authorization` with a variable for its secret: `authorization: Bearer $TOKEN`, or
   * `authorization: $TOKEN` for a token alone. Undefined if there is no variable for it.
   */
  function writeAuthorization(
    authorization: string,
    identity: Exchange['identity'],
  ): string | undefined {
    // `Bearer ` and `abc`; without a scheme, the first part is empty.
    const secretStart = authorization.lastIndexOf(' ') + 1
    const schemeWithSpace = authorization.slice(0, secretStart)
    // In double quotes, a shell would run anything else, such as `$(id)`.
    if (!SCHEME_WITH_SPACE.test(schemeWithSpace)) return undefined

    const secret = authorization.slice(secretStart)
    const variable = variableBySecret.get(secret) ?? findTokenVariable(identity)
    return variable === undefined ? undefined : `authorization: ${schemeWithSpace}$${variable}`
  }

  /** Finds the variable that stands for any token of a partner; undefined if there is none. */
  function findTokenVariable(by: Exchange['identity']): string | undefined {
    if (by === undefined || by.customer !== undefined) return undefined
    if (by.partner === partner?.clientKey) return 'TOKEN'
    if (by.partner === other?.clientKey) return 'OTHER_TOKEN'
    return undefined
  }

  /**
   * Builds the curl command that sends a request again, for reports. Undefined if the command would need
   * a secret that no variable stands for, or would be too long.
   */
  function buildCurl(exchange: Exchange): string | undefined {
    const { method, path, headers, body = '' } = exchange.request
    if (path.length > MAX_TEXT_LENGTH || body.length > MAX_TEXT_LENGTH) return undefined

    const hasSecret = maskText(path + body) !== path + body
    if (hasSecret) return undefined

    // curl would remove dot segments, and send one request for each value of `[1-3]` or `{a,b}`.
    const parts = [`curl -sS -i --path-as-is --globoff -X ${method}`]
    const { authorization, 'content-type': type } = headers
    if (authorization !== undefined) {
      const header = writeAuthorization(authorization, exchange.identity)
      if (header === undefined) return undefined
      // In double quotes, the shell replaces the variable.
      parts.push(`-H "${header}"`)
    }
    if (type !== undefined) parts.push(`-H ${quoteForShell(`content-type: ${type}`)}`)
    if (body !== '') parts.push(`--data-raw ${quoteForShell(body)}`)
    parts.push(quoteForShell(base + path))
    return parts.join(' ')
  }

  /**
   * Builds what reports show of a delivery. There is no curl command: only the service can send it again.
   * Of the response, which is the checker's own, only the status matters.
   */
  function buildDeliveryEvidence({ url, status, text: body }: RecordedDelivery): Evidence {
    return {
      curl: undefined,
      response: '',
      requestId: undefined,
      method: 'POST',
      path: shortenText(url),
      status,
      request: shortenText(body),
    }
  }

  return {
    /**
     * Masks secrets in a message of a rule. Outside of quotes, words of the checker itself stay, such as
     * `amount`: a service may have a secret that is the same word.
     */
    message(sentence: string): string {
      const isWord = (secret: string) => words.has(secret)
      const maskPart = mask.partsOf(sentence)
      const masked = splitAtQuotes(sentence).map((part) =>
        part.startsWith('"') ? maskPart(part) : maskPart(part, isWord),
      )
      return masked.join('')
    },
    /**
     * Remembers the secrets of an exchange, which are masked from then on: its credentials, and the strings
     * in its bodies whose field has the name of a secret, such as `access_token`.
     */
    see({ request, requestBody, responseBody }: Exchange): void {
      const { authorization = '' } = request.headers
      const withoutScheme = authorization.slice(authorization.indexOf(' ') + 1)
      for (const credentials of [authorization, withoutScheme])
        if (credentials.length > MAX_UNMASKED_LENGTH) addSecret(credentials)
      for (const body of [responseBody, requestBody])
        for (const secret of listNamedSecrets(body)) addSecret(secret)
    },
    /** Builds what reports show of an exchange or a delivery, with secrets masked and long texts cut. */
    evidence(event: Found['evidence']): Evidence {
      if (event.type === 'delivery') return buildDeliveryEvidence(event)
      const { request, response } = event
      const requestId = response?.headers['x-request-id']
      return {
        curl: buildCurl(event),
        method: request.method,
        path: shortenText(request.path),
        status: response?.status,
        request: shortenText(request.body ?? ''),
        response: shortenText(response?.text ?? ''),
        requestId: requestId === undefined ? undefined : shortenText(String(requestId)),
      }
    },
  }
}

/** Secrets are looked for in so many levels of a body. */
const MAX_DEPTH = 10

/** So many secrets of a body are masked wherever they occur. No body needs a hundredth of that. */
const MAX_SECRETS = 2_000

/**
 * Lists the strings in a body that are in a field with the name of a secret, such as `client_secret`, or
 * anywhere inside such a field; at most the first 2,000.
 */
function listNamedSecrets(body: unknown): readonly string[] {
  const secrets: string[] = []
  addSecrets(body, { isSecret: false, depth: 0 })
  return secrets

  /** `isSecret` says whether the value is inside a field with the name of a secret. */
  function addSecrets(value: unknown, { isSecret, depth }: SecretSearch): void {
    if (secrets.length >= MAX_SECRETS) return
    if (typeof value === 'string' && isSecret) secrets.push(value)
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return

    const inside = { isSecret, depth: depth + 1 }
    if (Array.isArray(value)) {
      for (const item of value) addSecrets(item, inside)
      return
    }
    const fields = fieldsOf(value)
    for (const name in fields)
      addSecrets(fields[name], isSecretField(name) ? { ...inside, isSecret: true } : inside)
  }
}

interface SecretSearch {
  readonly isSecret: boolean
  readonly depth: number
}

/** Whether names of fields are those of secrets. There are few names, and they come again. */
const isSecretByName = new Map<string, boolean>()
const MAX_NAMES = 5_000

/** Whether a field has the name of a secret. Remembers each name, since bodies repeat them often. */
function isSecretField(name: string): boolean {
  const remembered = isSecretByName.get(name)
  if (remembered !== undefined) return remembered

  if (isSecretByName.size >= MAX_NAMES) isSecretByName.clear()
  const isSecret = isSecretName(name)
  isSecretByName.set(name, isSecret)
  return isSecret
}

/**
 * Lists the secrets of a partner, each with the shell variable that stands for it in commands:
 * `[['cGFydG5lcjpzM2NyM3Q=', 'CREDENTIALS'], ['s3cr3t', 'CLIENT_SECRET']]`. Empty if it has neither a secret nor a token.
 *
 * @param prefix `OTHER_` for the second partner.
 */
function listPartnerSecrets(
  access: KnownAccess = {},
  prefix: '' | 'OTHER_',
): [secret: string, name: string][] {
  const { clientKey = '', clientSecret = '', token = '' } = access
  const ofToken = token === '' ? [] : listSpellingsFor(token, `${prefix}TOKEN`)
  if (clientSecret === '') return ofToken

  const variable = prefix === '' ? 'CLIENT_SECRET' : 'OTHER_SECRET'
  return [
    // As the header of the sign-in has both.
    [btoa(`${clientKey}:${clientSecret}`), `${prefix}CREDENTIALS`],
    ...ofToken,
    ...listSpellingsFor(clientSecret, variable),
  ]
}

/** Lists the spellings of a secret, each with the variable that stands for it: `[['a/b', 'TOKEN'], ['a%2Fb', 'TOKEN']]`. */
function listSpellingsFor(secret: string, variable: string): [secret: string, name: string][] {
  return listSpellings(secret).map((spelling) => [spelling, variable])
}

/** Lists how a secret may be written: as it is, in a URL, and in JSON, where some libraries escape `/` or `+`. */
function listSpellings(secret: string): readonly string[] {
  const inUrl = encodeURIComponent(secret.toWellFormed())
  const inJson = JSON.stringify(secret).slice(1, -1)
  const spellings = [
    secret,
    inUrl,
    // The digits of an octet may be in either case (RFC 3986, section 2.1).
    inUrl.replace(/%../g, (octet) => octet.toLowerCase()),
    inJson,
    inJson.replaceAll('/', '\\/'),
    inJson.replaceAll('+', '\\u002B'),
    inJson.replaceAll('+', '\\u002b'),
  ]
  return [...new Set(spellings)]
}

/** Quotes text as one word of a POSIX shell. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/**
 * POSIX shell commands, one per line, that set the variables of `curl`. They read keys and secrets
 * from the environment.
 */
export function signInCommands(base: string, hasOther: boolean): string {
  const url = quoteForShell(`${base}/mobile-bff/v1/auth/partner/token/`)
  const extractToken = `sed -n 's/.*"access_token" *: *"\\([^"]*\\)".*/\\1/p'`

  /** @param environment What the names of the environment variables begin with. */
  function writeCommands(prefix: '' | 'OTHER_', environment: 'CLIENT' | 'OTHER'): string[] {
    return [
      `${prefix}CREDENTIALS=$(printf %s "$${environment}_KEY:$${environment}_SECRET" | base64 | tr -d '\\n')`,
      `${prefix}TOKEN=$(curl -sS -X POST -H "authorization: Basic $${prefix}CREDENTIALS" ${url} | ${extractToken})`,
    ]
  }

  const commands = writeCommands('', 'CLIENT')
  if (hasOther) commands.push(...writeCommands('OTHER_', 'OTHER'))
  return commands.join('\n')
}

/** Splits a sentence into its quoted values and what is between them: `['got ', '"x"', '.']`. */
function splitAtQuotes(sentence: string): string[] {
  const parts: string[] = []
  let start = 0
  while (start < sentence.length) {
    const isQuoted = sentence[start] === '"'
    const end = isQuoted ? endOfString(sentence, start) : findQuote(sentence, start)
    parts.push(sentence.slice(start, end))
    start = end
  }
  return parts
}

/** Finds the index of the next quote; the length of the sentence if there is none. */
function findQuote(sentence: string, start: number): number {
  const index = sentence.indexOf('"', start)
  return index < 0 ? sentence.length : index
}
