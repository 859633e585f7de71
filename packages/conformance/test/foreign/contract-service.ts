import { createValidator } from '@partner-payments/validator'
import { parsed } from '../faulty/json.ts'
import type { Service } from '../in-process-transport.ts'

/** A valid request. */
export interface Asked {
  readonly request: Request
  readonly path: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** Parsed if it is JSON. */
  readonly body: Record<string, unknown>
}

/** The handlers, by operationId. */
export type Handlers = Readonly<Record<string, (asked: Asked) => Response>>

export interface ContractServiceOptions {
  /** Whether a caller may send the request. Default: everyone may. */
  readonly isKnown?: (request: Request, operation: string) => boolean
  /** Media types of bodies. Default: JSON. */
  readonly takes?: RegExp
}

/** Creates a service that refuses invalid requests, and passes valid ones to handlers. */
export function createContractService(
  contract: object,
  handlers: Handlers,
  { isKnown = () => true, takes = /^application\/json\b/i }: ContractServiceOptions = {},
): Service {
  const validator = createValidator(contract)
  return async (request) => {
    const { pathname: path, search, searchParams: query } = new URL(request.url)
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const found = validator.findOperation(method, path)
    if (!found.found && found.status === 404) return json(404, { error: 'there is no such path' })
    if (!found.found) return json(405, { error: 'not so' }, { allow: found.allow.join(', ') })
    const { operation } = found
    const id = operation.id ?? `${operation.method} ${operation.path}`
    if (!isKnown(request, id))
      return json(401, { error: 'who are you?' }, { 'www-authenticate': 'Basic, Bearer' })
    const text = await request.text()
    const type = request.headers.get('content-type') ?? ''
    if (text !== '' && !takes.test(type)) return json(415, { error: 'another type, please' })
    const body = text === '' ? undefined : FORM.test(type) ? text : parsed(text)
    const headers = Object.fromEntries(request.headers)
    const findings = validator.validateRequest({ method, path, query: search.slice(1), headers, body })
    if (findings.length > 0 || (text !== '' && body === undefined))
      return json(400, { error: 'not in this form' })
    const names = [...found.operation.path.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name)
    const values = stepsOf(found.operation.path, path)
    return (handlers[id] ?? missing(id))({
      request,
      path: Object.fromEntries(names.map((name, i) => [name, values[i] ?? ''])),
      query,
      body: (body ?? {}) as Record<string, unknown>,
    })
  }
}

/** The validator reads forms. */
const FORM = /^application\/x-www-form-urlencoded\b/i

/** The values of the path parameters. */
function stepsOf(template: string, path: string): string[] {
  const pattern = template.replaceAll(/\{[^}]*\}/g, '([^/]+)')
  return (new RegExp(`^${pattern}$`).exec(path) ?? []).slice(1).map((it) => decodeURIComponent(it))
}

function missing(id: string): never {
  throw new Error(`no handler for ${id}`)
}

/** A JSON response. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  })
}

/** A contract of these paths, with their refusals. */
export function contractOf(paths: object, more: object = {}): object {
  return {
    openapi: '3.1.0',
    info: { title: 'Foreign', version: '1.0.0' },
    paths,
    components: { schemas: { Error: object({ error: { type: 'string' } }) }, ...more },
  }
}

export function object(properties: Record<string, object>) {
  return { type: 'object', properties, required: Object.keys(properties) }
}

/** An operation with its successes and refusals. */
export function operation(operationId: string, successes: object, ...refusals: number[]) {
  return { operationId, responses: statuses(successes, ...refusals) }
}

/** An operation that takes a body. */
export function taking(requestBody: object, ...rest: Parameters<typeof operation>) {
  return { requestBody, ...operation(...rest) }
}

/** The responses of an operation: its successes and refusals. */
export function statuses(successes: object, ...refusals: number[]): object {
  const error = response({ $ref: '#/components/schemas/Error' })
  return { ...Object.fromEntries(refusals.map((it) => [it, error])), ...successes }
}

export function response(schema: object, more: object = {}): object {
  return { description: 'As it says.', content: { 'application/json': { schema } }, ...more }
}

/** A request body of one media type. */
export function bodyOf(schema: object, example?: unknown, type = 'application/json'): object {
  return { required: true, content: { [type]: { schema, ...(example !== undefined && { example }) } } }
}
