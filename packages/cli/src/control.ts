import {
  type ClientOptions,
  createPayments,
  type Fetch,
  type Token,
} from '@partner-payments/client'
import {
  fieldsOf,
  findObjection,
  type Get,
  type Json,
  parsedJson,
} from '@partner-payments/contract'
import { CliError, ServiceError } from './errors.ts'
import { baseOf, readConnection, readTarget } from './service.ts'
import type { SandboxFlags } from './tables.ts'

/** The control API of the sandbox. Each change asks first whether the service is one. */
export interface Control {
  /**
   * Ask before the first request, and again before each payment: another service may listen on the
   * same port by then.
   *
   * @param token An access token before its first use, which the sandbox must have issued: a gateway
   *   may send payments to another service than the question.
   * @throws {CliError} if the service is not a sandbox, or on another machine without the flag
   */
  requireSandbox(token?: string): Promise<void>
  get(path: string): Promise<Json>
  post(path: string): Promise<Json>
}

const TIMEOUT_MS = 10_000
/** Maximum number of characters of a response; the last chunk may exceed it. */
const MAX_CHARACTERS = 1_000_000

/**
 * Creates the connection to the control API of a sandbox (below `/_sandbox`), which is not part of
 * the contract. Changes ask first whether the target still is a sandbox; reading is safe on any
 * service.
 */
export function createControl({ target, allowRemoteSandbox = false }: SandboxFlags): Control {
  const url = readTarget(target)
  const base = baseOf(url)

  /** Throws a CliError unless the target is a sandbox, and has issued the token if there is one. */
  async function requireSandbox(token?: string): Promise<void> {
    const get: Get = (path, headers) => send('GET', base + path, { target, headers })
    const objection = await findObjection(url, {
      kind: 'sandbox',
      isRemoteAllowed: allowRemoteSandbox,
      token,
      get,
    })
    if (objection !== undefined)
      throw new CliError(`This command pays, so it takes a sandbox only: ${objection}.`)
  }

  /**
   * Sends a request to the control API, and returns the JSON of its response. Throws a ServiceError
   * if the sandbox refuses it.
   */
  async function call(method: string, path: string): Promise<Json> {
    const { ok, status, text } = await send(method, `${base}/_sandbox${path}`, { target })
    const body = fieldsOf(parsedJson(text))
    if (ok) return body

    const summary = `${target} refused ${method} /_sandbox${path} (${status})`
    throw new ServiceError(summary, String(body.detail ?? ''))
  }

  return {
    requireSandbox,
    get: (path) => call('GET', path),
    async post(path) {
      await requireSandbox()
      return call('POST', path)
    },
  }
}

/**
 * The options of a client that pays in a sandbox only. It uses a token only if the sandbox says that
 * it issued it, and asks again before it repeats a request. So a live service behind the same URL
 * refuses the token.
 *
 * @throws {UsageError} if the target is not a base URL, or credentials are missing
 */
export function readSandboxConnection(
  flags: SandboxFlags,
  { requireSandbox }: Pick<Control, 'requireSandbox'>,
): ClientOptions {
  const options = readConnection(flags)
  const partner = createPayments(options)

  // A token that the sandbox did not issue belongs to a service that may pay with real money.
  async function token(): Promise<Token> {
    const tokens = await partner.auth.signIn()
    await requireSandbox(tokens.access_token)
    return tokens
  }

  const fetchFromSandbox: Fetch = async (url, init, attempt) => {
    // When a request is repeated, another service may listen on the port.
    if (attempt.number > 1) await requireSandbox()
    return fetch(url, init)
  }
  return { ...options, auth: { token }, fetch: fetchFromSandbox }
}

interface SendOptions {
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Sends a request, and reads the text of its response within the limits. Throws a CliError if the
 * target does not respond.
 */
async function send(method: string, url: string, { target, headers = {} }: SendOptions) {
  try {
    // A redirect may lead to a live service.
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const { ok, status } = response
    return { ok, status, text: await readText(response) }
  } catch (cause) {
    if (cause instanceof CliError) throw cause
    throw new CliError(
      `${target} does not respond. Start a sandbox with \`partner-payments sandbox\`, or set --target.`,
      { cause },
    )
  }
}

/**
 * The body of a response as text. Throws a CliError if it is too long, as another service than a
 * sandbox could send it.
 */
async function readText({ body, url }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  // Leaving the loop cancels the body.
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > MAX_CHARACTERS)
      throw new CliError(`${url} returned more than ${MAX_CHARACTERS} characters. Is it a sandbox?`)
  }
  return text
}
