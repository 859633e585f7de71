import { behaviour } from '../contract/behaviour.ts'
import type { Operation } from '../contract/contract.ts'
import { fieldsOf } from '../contract/json.ts'
import { UNREADABLE } from '../send/guard.ts'
import { type Input, pathOf } from '../send/sender.ts'
import { sendOnce } from './edits.ts'
import type { Plan, PlanContext } from './plan.ts'
import { renewedRequest, validRequest } from './valid-requests.ts'

/**
 * Sends HEAD, other methods and paths, other media types, broken JSON, unreadable ids and other
 * notations.
 */
export const http: Plan = {
  id: 'http',
  wants: [
    'http-head',
    'http-methods',
    'http-slashes',
    'http-aliases',
    'http-bodies',
    'http-notations',
    'http-ids',
    'http-allow',
  ],
  async run(context) {
    const { sideBySide, signal } = context
    const cases = await buildCases(context)
    // A HEAD is compared with the GET before it, if nothing was written between them.
    const reads = cases.filter(({ operation }) => operation.method === 'GET')
    await sideBySide(reads, ({ operation, input }) => tryHead(context, operation, input))

    await sideBySide(cases, async ({ operation, input }) => {
      if (signal.aborted) return
      await tryPaths(context, operation, input)
      await tryIds(context, operation, input)
      await tryMessages(context, operation, input)
    })
  },
}

/** An operation, and a valid request of it. */
interface OperationCase {
  readonly operation: Operation
  readonly input: Input
}

/** The chosen operations with a valid request of each, where there is one. */
async function buildCases(context: PlanContext): Promise<readonly OperationCase[]> {
  const { contract, isChosen, sideBySide } = context
  const operations = contract.operations.filter(({ id, isAlias }) => !isAlias && isChosen(id))
  const cases = await sideBySide(operations, async (operation) => {
    // A static code can be checked and paid any number of times, without another request before it.
    const input = await validRequest(context, operation.id, { example: 0 })
    return input && { operation, input }
  })
  return cases.filter((it) => it !== undefined)
}

const UNKNOWN = '00000000-0000-4000-8000-000000000000'
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Another slash at the end, and the methods that a path does not have. */
async function tryPaths(context: PlanContext, operation: Operation, input: Input): Promise<void> {
  await tryOtherSlash(context, operation, input)
  // A path of several operations is tried once.
  const firstOfPath = context.contract.operations.find(({ path }) => path === operation.path)
  if (firstOfPath === operation) await tryOtherMethods(context, operation, input)
}

async function tryOtherSlash(
  context: PlanContext,
  operation: Operation,
  input: Input,
): Promise<void> {
  const { method } = operation
  // PUT and DELETE would change or end the record that the next requests use.
  if (method !== 'GET' && method !== 'POST') return
  const declared = pathOf(operation, input)
  const at = declared.endsWith('/') ? declared.slice(0, -1) : `${declared}/`
  if (context.contract.find(method, at)) return
  await sendOnce(context, operation, { ...input, at })
}

/** Of a record, without credentials, and of a record that nobody has. */
async function tryHead({ send }: PlanContext, { id }: Operation, input: Input): Promise<void> {
  const reads: Input[] = [input, { ...input, by: null }]
  if (input.path) reads.push({ ...input, path: unknownRecord(input) })
  for (const read of reads) {
    await send(id, read)
    await send(id, { ...read, method: 'HEAD' })
  }
}

async function tryOtherMethods(
  { send, contract, sideBySide }: PlanContext,
  operation: Operation,
  input: Input,
): Promise<void> {
  const at = pathOf(operation, { path: unknownRecord(input) })
  const others = METHODS.filter((method) => !contract.find(method, at))
  await sideBySide(others, (method) => send(operation.id, { at, method }))
}

/** The parameters of a path with an id that no record has. */
function unknownRecord({ path = {} }: Input): Record<string, string> {
  return Object.fromEntries(Object.keys(path).map((name) => [name, UNKNOWN]))
}

/**
 * Ids that break number parsers, path handling, SQL statements and stores, and that a loose
 * comparison accepts.
 */
async function tryIds(
  { send, sideBySide }: PlanContext,
  operation: Operation,
  input: Input,
): Promise<void> {
  for (const [name, id] of Object.entries(input.path ?? {})) {
    const similar = [`${id} `, `${id}x`, id.slice(0, 8)]
    const ids = ['x', '%00', '..%2f..', "'", 'a'.repeat(2_000), ...similar]
    await sideBySide(ids, (invalid) =>
      send(operation.id, { ...input, path: { ...input.path, [name]: invalid } }),
    )
  }
}

/** A request that is accepted, in other notations, at its short path, and with invalid JSON. */
async function tryMessages(
  context: PlanContext,
  operation: Operation,
  input: Input,
): Promise<void> {
  const { id, method } = operation
  const isEnd = method === 'DELETE'
  const valid = isEnd ? await validRequest(context, id) : await renewedRequest(context, input)
  if (!valid) return
  const accepted = await sendOnce(context, operation, valid)
  if (!accepted.isAccepted) return

  const request: ValidRequest = { operation, input, variantOf: accepted.sentAt }
  // A record can be ended only once.
  if (!isEnd) await tryNotations(context, request)
  await tryAlias(context, request)
  await tryInvalidBodies(context, request)
}

/** A request, and when one like it was accepted. */
interface ValidRequest {
  readonly operation: Operation
  readonly input: Input
  readonly variantOf: number
}

/** What reads a body reads those of all operations, so that some bodies are sent to one. */
const FOR_ALL = 'checkKey'

async function tryNotations(
  context: PlanContext,
  { operation, input, variantOf }: ValidRequest,
): Promise<void> {
  const intent = { variantOf, isNotation: true } as const
  const notations = await notationsOf(context, operation, input)
  await context.sideBySide(notations, async (notation) => {
    const fresh = await renewedRequest(context, input)
    if (fresh) await sendOnce(context, operation, { ...fresh, ...notation(fresh.body), intent })
  })
}

async function tryAlias(
  context: PlanContext,
  { operation, input, variantOf }: ValidRequest,
): Promise<void> {
  const { id } = operation
  const alias = context.contract.operations.find((other) => other.isAlias && other.id === id)
  if (!alias) return
  const fresh = await renewedRequest(context, input)
  if (!fresh) return
  // The shorter path shows fewer fields.
  const body = id === 'createWebhook' ? { url: fieldsOf(fresh.body).url } : fresh.body
  const request = { ...fresh, body, at: pathOf(alias, input), intent: { variantOf } }
  await sendOnce(context, operation, request, (webhook_id) =>
    context.send('getWebhook', { path: { webhook_id } }),
  )
}

async function tryInvalidBodies(
  context: PlanContext,
  { operation, input, variantOf }: ValidRequest,
): Promise<void> {
  if (input.body === undefined) return
  const edits: Input[] = []
  for (const body of unreadable(input.body)) edits.push({ body })
  for (const type of TYPES) edits.push({ headers: { 'content-type': type } })
  if (operation.id === FOR_ALL) {
    // A body that does not say its length.
    const headers = { 'transfer-encoding': 'chunked' }
    edits.push({ body: padded(input.body, LARGEST_BYTES + 1), headers })
  }
  await context.sideBySide(edits, (edit) =>
    sendOnce(context, operation, { ...input, ...edit, intent: { variantOf } }),
  )
}

type Notation = (body: unknown) => Input

/** The same request in other notations, each of which a service must accept. */
async function notationsOf(
  context: PlanContext,
  operation: Operation,
  input: Input,
): Promise<Notation[]> {
  const { identities } = context
  const by = identities.actingFor(input.by ?? 'partner', operation)
  const header = await identities.authorization(by, operation)
  // The name of a scheme has no case (RFC 9110, section 11.1).
  const authorization = header?.replace(/^\w+/, (scheme) => scheme.toLowerCase())

  const notations: Notation[] = [
    () => ({ headers: { accept: undefined } }),
    () => ({ headers: { accept: '*/*' } }),
  ]
  if (input.body !== undefined) notations.push(...BODY_NOTATIONS)
  if (operation.id === FOR_ALL) notations.push(withFieldTwice)
  if (authorization !== undefined) notations.push(() => ({ by: { authorization } }))
  return notations
}

/** Bytes of the largest body. */
const LARGEST_BYTES = behaviour.conventions.bodySize.bytes

/** A body of so many bytes. */
function padded(body: unknown, bytes: number): string {
  const json = JSON.stringify(body)
  return json + ' '.repeat(bytes - Buffer.byteLength(json))
}

/**
 * Media types, whitespace, escapes and another order (RFC 8259, sections 2, 4 and 7), and as many
 * bytes as are allowed.
 */
const BODY_NOTATIONS: readonly Notation[] = [
  () => ({ headers: { 'content-type': 'application/json; charset=utf-8' } }),
  () => ({ headers: { 'content-type': 'Application/JSON;charset="UTF-8"' } }),
  (body) => ({ body: JSON.stringify(body, null, 2) }),
  (body) => ({ body: JSON.stringify(body).replaceAll(/(?<=")[a-z]/gi, escaped) }),
  (body) => ({ body: Object.fromEntries(Object.entries(fieldsOf(body)).reverse()) }),
  (body) => ({ body: padded(body, LARGEST_BYTES) }),
]

/** Its first field twice, of which the last one counts. */
function withFieldTwice(body: unknown): Input {
  const [name = ''] = Object.keys(fieldsOf(body))
  return { body: `{${JSON.stringify(name)}:7,${JSON.stringify(body).slice(1)}` }
}

function escaped(letter: string): string {
  return `\\u00${letter.charCodeAt(0).toString(16)}`
}

/** Bodies that are no valid JSON, or too large (RFC 8259, section 2). */
function unreadable(body: unknown): string[] {
  const json = JSON.stringify(body)
  const open = json.slice(0, -1)
  const bodies = [UNREADABLE, '\u0000', '', open, `${open},}`, `${json}}`, `/* a */${json}`]
  const [field] =
    Object.entries(fieldsOf(body)).find(([, value]) => typeof value === 'string') ?? []
  // A string twice, the second time as a number.
  if (field !== undefined) bodies.push(`${open},${JSON.stringify(field)}:7}`)
  bodies.push(padded(body, LARGEST_BYTES + 1))
  return bodies
}

const TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/vnd.api+json',
  undefined,
]
