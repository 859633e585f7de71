import { behaviour } from '../contract/behaviour.ts'
import type { Operation } from '../contract/contract.ts'
import { fieldsOf } from '../contract/json.ts'
import { UNREADABLE } from '../send/guard.ts'
import { type Input, pathOf } from '../send/requests.ts'
import { sendAndDeleteWebhook } from './accepted-requests.ts'
import type { Plan, PlanContext } from './plan.ts'
import { EXAMPLE, prepareValidRequest, renewRequest } from './valid-requests.ts'

/**
 * Tries how the service reads HTTP: HEAD, other methods and paths, other media types, broken JSON,
 * unreadable ids, and other notations of valid requests.
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
  /**
   * Sends a valid request of each operation, then again in each way that HTTP allows or forbids. The
   * rules judge the responses later.
   */
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

/**
 * Builds a valid request of each operation that is checked in this run, and sends none of them. An operation is left
 * out if a request that it needs before, such as the creation of a webhook, was refused.
 */
async function buildCases(context: PlanContext): Promise<readonly OperationCase[]> {
  const { contract, isChosen, sideBySide } = context
  const operations = contract.operations.filter(({ id, isAlias }) => !isAlias && isChosen(id))
  const cases = await sideBySide(operations, async (operation) => {
    // A static code can be checked and paid any number of times, without another request before it.
    const input = await prepareValidRequest(context, operation.id, { example: EXAMPLE.staticCode })
    return input && { operation, input }
  })
  return cases.filter((operationCase) => operationCase !== undefined)
}

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Sends a request with or without a slash at the end of its path, and methods that the path does not have. */
async function tryPaths(context: PlanContext, operation: Operation, input: Input): Promise<void> {
  await tryOtherSlash(context, operation, input)
  // A path of several operations is tried once.
  const firstOfPath = context.contract.operations.find(({ path }) => path === operation.path)
  if (firstOfPath === operation) await tryOtherMethods(context, operation, input)
}

/**
 * Sends a valid request to its path with a slash added or removed at the end, unless that is the path of
 * another operation.
 */
async function tryOtherSlash(
  context: PlanContext,
  operation: Operation,
  input: Input,
): Promise<void> {
  const { method } = operation
  // PUT and DELETE would change or end the record that the next requests use.
  if (method !== 'GET' && method !== 'POST') return

  const path = pathOf(operation, input)
  const pathAndQuery = path.endsWith('/') ? path.slice(0, -1) : `${path}/`
  const isOfOtherOperation = context.contract.find(method, pathAndQuery) !== undefined
  if (isOfOtherOperation) return

  await sendAndDeleteWebhook(context, operation, { ...input, pathAndQuery })
}

/**
 * Sends a GET and then the same as a HEAD, so that a rule can compare the two: with credentials, without
 * them, and for a record that nobody has.
 */
async function tryHead(
  { send, sideBySide }: PlanContext,
  { id }: Operation,
  input: Input,
): Promise<void> {
  const reads: Input[] = [input, { ...input, by: null }]
  if (input.path) reads.push({ ...input, path: unknownRecord(input) })
  await sideBySide(reads, async (read) => {
    await send(id, read)
    await send(id, { ...read, method: 'HEAD' })
  })
}

/**
 * Sends each method that the contract does not declare for the path. The path names a record that nobody
 * has, so that a service that takes the method changes nothing.
 */
async function tryOtherMethods(
  { send, contract, sideBySide }: PlanContext,
  operation: Operation,
  input: Input,
): Promise<void> {
  const pathAndQuery = pathOf(operation, { path: unknownRecord(input) })
  const undeclaredMethods = METHODS.filter((method) => !contract.find(method, pathAndQuery))
  await sideBySide(undeclaredMethods, (method) => send(operation.id, { pathAndQuery, method }))
}

/** The parameters of a request's path, each with an id that no record has. */
function unknownRecord({ path = {} }: Input): Record<string, string> {
  const parameters: Record<string, string> = {}
  for (const name of Object.keys(path)) parameters[name] = UNKNOWN_ID
  return parameters
}

/**
 * Sends ids that break number parsers, path handling, SQL statements and stores, and ids that a loose
 * comparison takes for the right one.
 */
async function tryIds(
  { send, sideBySide }: PlanContext,
  operation: Operation,
  { path = {}, ...input }: Input,
): Promise<void> {
  for (const [name, id] of Object.entries(path)) {
    const breakingIds = ['x', '%00', '..%2f..', "'", 'a'.repeat(2_000)]
    const similarIds = [`${id} `, `${id}x`, id.slice(0, 8)]
    await sideBySide([...breakingIds, ...similarIds], (invalidId) =>
      send(operation.id, { ...input, path: { ...path, [name]: invalidId } }),
    )
  }
}

/**
 * Sends a valid request. If it is accepted, sends it again in other notations, at its short path and
 * with invalid JSON.
 */
async function tryMessages(
  context: PlanContext,
  operation: Operation,
  input: Input,
): Promise<void> {
  const isDeletion = operation.method === 'DELETE'
  const valid = await prepareAgain(context, operation, input)
  if (!valid) return

  const accepted = await sendAndDeleteWebhook(context, operation, valid)
  if (!accepted.isAccepted) return

  // Rules compare the variants with this accepted request, which the time of its sending names.
  const request: ValidRequest = { operation, input, variantOf: accepted.sentAt }
  if (!isDeletion) await tryNotations(context, request)
  await tryAlias(context, request)
  await tryInvalidBodies(context, request)
}

/** Builds a valid request once more. A deletion names another record, since each can be deleted only once. */
function prepareAgain(
  context: PlanContext,
  operation: Operation,
  input: Input,
): Promise<Input | undefined> {
  if (operation.method === 'DELETE') return prepareValidRequest(context, operation.id)
  return renewRequest(context, input)
}

/** A valid request, and when one like it was accepted. */
interface ValidRequest {
  readonly operation: Operation
  readonly input: Input
  readonly variantOf: number
}

/** Services read the bodies of all operations alike, so that some are sent to this one alone. */
const OPERATION_FOR_ALL = 'checkKey'

/**
 * Sends a valid request in other notations: ways to write the same request, such as with another order
 * of its fields. The service must accept each.
 */
async function tryNotations(context: PlanContext, request: ValidRequest): Promise<void> {
  const { operation, input, variantOf } = request
  const intent = { variantOf, isNotation: true } as const
  // Each changes parts of a request, such as `{ headers: { accept: undefined } }`.
  const notations = await listNotations(context, operation, input)
  await context.sideBySide(notations, async (writeAnew) => {
    const renewed = await renewRequest(context, input)
    if (!renewed) return
    // A text is sent as it is, so that it needs the service's own words.
    const changedParts = writeAnew(context.form.toServiceBody(operation, renewed.body))
    const variant = { ...renewed, ...changedParts, intent }
    const { status } = await sendAndDeleteWebhook(context, operation, variant)
    if (status === 401) await sendPlainAgain(context, request)
  })
}

/** Sends a valid request once more in the usual notation, which shows whether its token still works. */
async function sendPlainAgain(
  context: PlanContext,
  { operation, input }: ValidRequest,
): Promise<void> {
  const renewed = await renewRequest(context, input)
  if (renewed) await sendAndDeleteWebhook(context, operation, renewed)
}

/**
 * Sends a valid request to the alias of its operation: a second, shorter path of the same operation, which the
 * source document also names. Sends nothing if the contract declares none.
 */
async function tryAlias(context: PlanContext, request: ValidRequest): Promise<void> {
  const { operation, input, variantOf } = request
  const { id } = operation
  const alias = context.contract.operations.find((other) => other.isAlias && other.id === id)
  if (!alias) return

  const renewed = await renewRequest(context, input)
  if (!renewed) return

  // The document shows only the URL of a webhook in a request to the shorter path.
  const body = id === 'createWebhook' ? { url: fieldsOf(renewed.body).url } : renewed.body
  const pathAndQuery = pathOf(alias, input)
  const toAlias = { ...renewed, body, pathAndQuery, intent: { variantOf } }
  const readWebhook = (webhook_id: string) => context.send('getWebhook', { path: { webhook_id } })
  await sendAndDeleteWebhook(context, operation, toAlias, readWebhook)
}

/**
 * Sends a valid request with bodies that the service must refuse: no valid JSON, too large, or with
 * another media type. Sends nothing if the operation takes no body.
 */
async function tryInvalidBodies(context: PlanContext, request: ValidRequest): Promise<void> {
  const { operation, input, variantOf } = request
  if (input.body === undefined) return

  // A text is sent as it is, so that it needs the service's own words.
  const serviceBody = context.form.toServiceBody(operation, input.body)
  const edits: Input[] = []
  for (const body of unreadableBodies(serviceBody)) edits.push({ body })
  for (const type of OTHER_MEDIA_TYPES) edits.push({ headers: { 'content-type': type } })
  // A body that does not say its length, to one operation for all.
  if (operation.id === OPERATION_FOR_ALL) {
    const headers = { 'transfer-encoding': 'chunked' }
    edits.push({ body: padJson(LARGEST_BYTES + 1, serviceBody), headers })
  }

  await context.sideBySide(edits, (edit) =>
    sendAndDeleteWebhook(context, operation, { ...input, ...edit, intent: { variantOf } }),
  )
}

/** Writes a body in another way: returns the parts of the request that differ. */
type Notation = (body: unknown) => Input

/**
 * Lists the notations of a request: other ways to write its headers, its token and its body. Each is a
 * function from the body to the changed parts, such as `{ headers: { accept: undefined } }`.
 */
async function listNotations(
  context: PlanContext,
  operation: Operation,
  input: Input,
): Promise<Notation[]> {
  const notations: Notation[] = [
    () => ({ headers: { accept: undefined } }),
    () => ({ headers: { accept: '*/*' } }),
  ]
  if (input.body !== undefined) notations.push(...BODY_NOTATIONS)
  if (operation.id === OPERATION_FOR_ALL) notations.push(withFieldTwice)

  const authorization = await findAuthorization(context, operation, input)
  if (authorization !== undefined) {
    // The name of a scheme has no case (RFC 9110, section 11.1).
    const inLowerCase = authorization.replace(/^\w+/, (scheme) => scheme.toLowerCase())
    notations.push(() => ({ by: { authorization: inLowerCase } }))
  }
  return notations
}

/** The header `authorization` with which the run sends a request, `Bearer abc`; undefined if it has none. */
function findAuthorization(
  { identities }: PlanContext,
  operation: Operation,
  { by = 'partner' }: Input,
): Promise<string | undefined> {
  const actor = identities.chooseActor(by, operation)
  return identities.authorization(actor, operation)
}

/** The size of the largest body. */
const LARGEST_BYTES = behaviour.conventions.bodySize.bytes

/** A body as JSON with spaces at its end, so that it has so many bytes. */
function padJson(bytes: number, body: unknown): string {
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
  (body) => ({ body: JSON.stringify(body).replaceAll(/(?<=")[a-z]/gi, escapeLetter) }),
  (body) => ({ body: Object.fromEntries(Object.entries(fieldsOf(body)).reverse()) }),
  (body) => ({ body: padJson(LARGEST_BYTES, body) }),
]

/** The first field of a body twice: the last one counts, which is the right one. */
function withFieldTwice(body: unknown): Input {
  const [name = ''] = Object.keys(fieldsOf(body))
  return { body: `{${JSON.stringify(name)}:7,${JSON.stringify(body).slice(1)}` }
}

/** A letter as an escape of JSON: `\u0061` for `a`. */
function escapeLetter(letter: string): string {
  return `\\u00${letter.charCodeAt(0).toString(16)}`
}

/**
 * Texts to send in place of a body, which the service must refuse: no valid JSON (RFC 8259, section 2),
 * or too large.
 */
function unreadableBodies(body: unknown): string[] {
  const json = JSON.stringify(body)
  const unclosed = json.slice(0, -1)
  const bodies = [UNREADABLE, '\u0000', '', unclosed, `${unclosed},}`, `${json}}`, `/* a */${json}`]

  // A string field for the second time, as a number: most parsers take the last one.
  const fields = Object.entries(fieldsOf(body))
  const stringField = fields.find(([, value]) => typeof value === 'string')
  if (stringField) {
    const [name] = stringField
    const withNumberToo = `${unclosed},${JSON.stringify(name)}:7}`
    bodies.push(withNumberToo)
  }

  bodies.push(padJson(LARGEST_BYTES + 1, body))
  return bodies
}

const OTHER_MEDIA_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/vnd.api+json',
  undefined,
]
