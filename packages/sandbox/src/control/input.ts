import { createValidator } from '@partner-payments/validator'
import type { OperationId } from '../contract.ts'
import { handlers } from '../handlers.ts'
import { readBytes, readJson } from '../service/body.ts'
import { refuseFindings } from '../service/findings.ts'

/** Seconds of ten years: who needs more has mistaken the unit. */
const TEN_YEARS = 10 * 365 * 86_400

const id = { type: 'string', minLength: 1, maxLength: 100 }
const FAULT_KINDS = [
  'latency',
  'status',
  'lose_answer',
  'reset',
  'slow_body',
  'reject_transfer',
  'fail_deliveries',
] as const
const ms = { type: 'integer', minimum: 0, maximum: 60_000 }

/** What the control takes, in a contract of its own: it is checked as the service's is. */
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
  '/deliveries/redeliver': {
    type: 'object',
    required: ['event_id', 'webhook_id'],
    properties: { event_id: id, webhook_id: id },
  },
  '/faults': {
    type: 'object',
    required: ['kind'],
    properties: {
      operation: { type: 'string', enum: Object.keys(handlers) },
      times: { type: 'integer', minimum: 1, maximum: 1_000_000 },
      seconds: { type: 'integer', minimum: 1, maximum: 3_600 },
      kind: { type: 'string', enum: FAULT_KINDS },
      ms,
      status: { type: 'integer', minimum: 400, maximum: 599 },
      after: { type: 'boolean' },
    },
  },
} as const

/** What is in them, as the schemas above say. */
export interface Bodies {
  '/clock': { readonly reset?: true; readonly freeze?: boolean; readonly advance_seconds?: number }
  '/accounts/{id}/deposit': { readonly amount: string }
  '/deliveries/redeliver': { readonly event_id: string; readonly webhook_id: string }
  '/faults': {
    readonly operation?: OperationId
    readonly times?: number
    /** How long it lasts, by the clock of the sandbox; without it, until `times` are used up. */
    readonly seconds?: number
    readonly kind: (typeof FAULT_KINDS)[number]
    readonly ms?: number
    readonly status?: number
    readonly after?: boolean
  }
}

const validator = createValidator({
  openapi: '3.1.0',
  info: { title: 'Control of the sandbox', version: '1' },
  paths: { ...Object.fromEntries(Object.entries(BODIES).map(posted)), '/events': { get: listing() } },
})

function posted([path, schema]: [string, object]) {
  const parameters = path.includes('{id}') ? [{ name: 'id', in: 'path', required: true, schema: id }] : []
  const requestBody = { required: true, content: { 'application/json': { schema } } }
  return [path, { post: { parameters, requestBody, responses: {} } }]
}

function listing() {
  const schema = { type: 'integer', minimum: 1, maximum: 100 }
  return { parameters: [{ name: 'limit', in: 'query', schema }], responses: {} }
}

/**
 * The body of a request to the control.
 *
 * @param path As the contract writes it.
 * @throws {Refusal} `malformed_body`, `body_too_large`, `unsupported_media_type`, `invalid_request`
 */
export async function bodyOf<Path extends keyof Bodies>(request: Request, path: Path): Promise<Bodies[Path]> {
  const type = request.headers.get('content-type')
  const headers = type === null ? {} : { 'content-type': type }
  // A page of another site can send other types without asking first.
  const isJson = /^\s*application\/json\s*(;|$)/i.test(type ?? '')
  const body = isJson ? await readJson(request) : await bytesOf(request)
  const message = { method: 'POST', path: path.replace('{id}', 'id'), headers, body }
  // A member that nobody knows is a slip of who tests: without this, `advance_second` would do nothing.
  refuseFindings(validator.validateRequest(message, { unknown: true }))
  // The schema of the path has seen to it.
  return body as Bodies[Path]
}

/** Undefined where there are none, as of JSON. */
async function bytesOf(request: Request) {
  const bytes = await readBytes(request)
  return bytes.byteLength === 0 ? undefined : bytes
}

/**
 * How many events are asked for; 20 by default.
 *
 * @throws {Refusal} `invalid_request`
 */
export function limitOf(request: Request): number {
  const { search, searchParams } = new URL(request.url)
  refuseFindings(
    validator.validateRequest({ method: 'GET', path: '/events', query: search }, { unknown: true }),
  )
  return Number(searchParams.get('limit') ?? 20)
}
