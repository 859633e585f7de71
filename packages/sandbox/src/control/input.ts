import { createValidator } from '@partner-payments/validator'
import type { OperationId } from '../contract.ts'
import { handlers } from '../handlers.ts'
import { isJsonType, parseJson, readBytes } from '../service/body.ts'
import { requireNoFindings } from '../service/findings.ts'

/** Ten years in seconds. A larger value is probably in the wrong unit. */
const TEN_YEARS = 10 * 365 * 86_400

const ID = { type: 'string', minLength: 1, maxLength: 100 }
const FAULT_KINDS = [
  'latency',
  'status',
  'lose_response',
  'reset',
  'slow_body',
  'reject_transfer',
  'fail_deliveries',
] as const
const DELAY_MS = { type: 'integer', minimum: 0, maximum: 60_000 }

/**
 * The request bodies of the control API, as schemas. They are validated like those of the service.
 */
const BODIES = {
  '/clock': {
    type: 'object',
    minProperties: 1,
    properties: {
      reset: { type: 'boolean', const: true },
      freeze: { type: 'boolean' },
      advance_seconds: { type: 'number', minimum: 0, maximum: TEN_YEARS },
    },
  },
  '/accounts/{id}/deposit': {
    type: 'object',
    required: ['amount'],
    properties: { amount: { type: 'string', pattern: '^[0-9]{1,12}\\.[0-9]{2}$' } },
  },
  '/qrcodes/{id}': {
    type: 'object',
    required: ['allow_value_change'],
    properties: { allow_value_change: { type: 'boolean' } },
  },
  '/keys': {
    type: 'object',
    required: ['dict_key', 'name', 'tax_id'],
    properties: {
      dict_key: { type: 'string', minLength: 1, maxLength: 77 },
      name: { type: 'string', minLength: 1, maxLength: 120 },
      trade_name: { type: 'string', maxLength: 100 },
      // A CPF or a CNPJ, as in the contract.
      tax_id: { type: 'string', pattern: '^([0-9]{11}|[0-9A-Z]{12}[0-9]{2})$' },
    },
  },
  '/deliveries/redeliver': {
    type: 'object',
    required: ['event_id', 'webhook_id'],
    properties: { event_id: ID, webhook_id: ID },
  },
  '/faults': {
    type: 'object',
    required: ['kind'],
    properties: {
      operation: { type: 'string', enum: Object.keys(handlers) },
      times: { type: 'integer', minimum: 1, maximum: 1_000_000 },
      seconds: { type: 'integer', minimum: 1, maximum: 3_600 },
      kind: { type: 'string', enum: FAULT_KINDS },
      ms: DELAY_MS,
      status: { type: 'integer', minimum: 400, maximum: 599 },
      after: { type: 'boolean' },
    },
  },
} as const

export interface Bodies {
  '/clock': { readonly reset?: true; readonly freeze?: boolean; readonly advance_seconds?: number }
  '/accounts/{id}/deposit': { readonly amount: string }
  '/qrcodes/{id}': { readonly allow_value_change: boolean }
  '/keys': {
    readonly dict_key: string
    readonly name: string
    readonly trade_name?: string
    readonly tax_id: string
  }
  '/deliveries/redeliver': { readonly event_id: string; readonly webhook_id: string }
  '/faults': {
    readonly operation?: OperationId
    readonly times?: number
    /** How long the rule lasts by the sandbox clock. If absent, until `times` is used up. */
    readonly seconds?: number
    readonly kind: (typeof FAULT_KINDS)[number]
    readonly ms?: number
    readonly status?: number
    readonly after?: boolean
  }
}

/** The method does not matter, so each body is one of a POST. */
const paths = Object.entries(BODIES).map(([path, schema]) => [path, createPathItem(path, schema)])

/** What OpenAPI has for a path of the control API, by which the validator checks its body. */
function createPathItem(path: string, schema: object) {
  const idParameter = { name: 'id', in: 'path', required: true, schema: ID }
  const parameters = path.includes('{id}') ? [idParameter] : []
  const requestBody = { required: true, content: { 'application/json': { schema } } }
  return { post: { parameters, requestBody, responses: {} } }
}

const LIMIT = { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } }
const validator = createValidator({
  openapi: '3.1.0',
  info: { title: 'Control of the sandbox', version: '1' },
  paths: {
    ...Object.fromEntries(paths),
    '/events': { get: { parameters: [LIMIT], responses: {} } },
  },
})

/**
 * Reads and validates the body of a request to the control API of the sandbox.
 *
 * @param path the path whose schema the body must have, such as `/clock` or `/faults`
 * @throws {Refusal} if the body has another form
 */
export async function readControlBody<Path extends keyof Bodies>(
  request: Request,
  path: Path,
): Promise<Bodies[Path]> {
  const type = request.headers.get('content-type')
  // Another site can send other media types without a CORS preflight.
  const isJson = type !== null && isJsonType(type)
  const bytes = await readBytes(request)
  const body = isJson ? parseJson(bytes) : unparsed(bytes)

  const headers = type === null ? {} : { 'content-type': type }
  const message = { method: 'POST', path: path.replace('{id}', 'id'), headers, body }
  // Refuse unknown fields: a typing error such as `advance_second` would otherwise do nothing.
  requireNoFindings(validator.validateRequest(message, { unknown: true }))
  // The schema of the path was just checked.
  return body as Bodies[Path]
}

/** A body of another media type, about which the validation says what is wrong. */
function unparsed(bytes: Uint8Array | ArrayBuffer): unknown {
  return bytes.byteLength === 0 ? undefined : bytes
}

/** The number of events to return; 20 by default. */
export function readLimit(request: Request): number {
  const { search, searchParams } = new URL(request.url)
  const message = { method: 'GET', path: '/events', query: search }
  requireNoFindings(validator.validateRequest(message, { unknown: true }))
  return Number(searchParams.get('limit') ?? DEFAULT_LIMIT)
}

const DEFAULT_LIMIT = 20
