import type { Operation } from '../contract/contract.ts'
import { fieldsOf } from '../contract/json.ts'
import { UNREADABLE } from '../send/guard.ts'
import { type Input, pathOf } from '../send/sender.ts'
import { sendOnce } from './edits.ts'
import { type Plan, type PlanContext, renewedRequest, validRequest } from './plan.ts'

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
    const { contract, isChosen, signal } = context
    for (const operation of contract.operations.filter(
      ({ id, isAlias }) => !isAlias && isChosen(id),
    )) {
      if (signal.aborted) return
      // A static code can be checked and paid any number of times, without another request before
      // it.
      const input = await validRequest(context, operation.id, { example: 0 })
      if (!input) continue
      await tryPaths(context, operation, input)
      await tryIds(context, operation, input)
      await tryMessages(context, operation, input)
    }
  },
}

const UNKNOWN = '00000000-0000-4000-8000-000000000000'
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Another slash at the end, a HEAD beside each GET, and the methods that a path does not have. */
async function tryPaths(context: PlanContext, operation: Operation, input: Input): Promise<void> {
  const { send, contract } = context
  const { id, method, path } = operation
  const own = pathOf(operation, input)
  const at = own.endsWith('/') ? own.slice(0, -1) : `${own}/`
  if (/^(GET|POST)$/.test(method) && !contract.find(method, at))
    await sendOnce(context, operation, { ...input, at })
  const unknown = Object.fromEntries(Object.keys(input.path ?? {}).map((name) => [name, UNKNOWN]))
  const reads = [
    input,
    { ...input, by: null },
    ...(input.path ? [{ ...input, path: unknown }] : []),
  ]
  for (const it of method === 'GET' ? reads : []) {
    await send(id, it)
    await send(id, { ...it, method: 'HEAD' })
  }
  if (contract.operations.find((it) => it.path === path) !== operation) return
  const other = pathOf(operation, { path: unknown })
  for (const it of METHODS) if (!contract.find(it, other)) await send(id, { at: other, method: it })
}

/**
 * Ids that break number parsers, path handling, SQL statements and stores, and that a loose
 * comparison accepts.
 */
async function tryIds({ send }: PlanContext, operation: Operation, input: Input): Promise<void> {
  for (const [name, id] of Object.entries(input.path ?? {})) {
    const similar = [`${id} `, `${id}x`, id.slice(0, 8)]
    for (const it of ['x', '%00', '..%2f..', "'", 'a'.repeat(2_000), ...similar])
      await send(operation.id, { ...input, path: { ...input.path, [name]: it } })
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
  const accepted = valid && (await sendOnce(context, operation, valid))
  if (!accepted?.isAccepted) return
  const { sentAt: variantOf } = accepted
  // A record can be ended only once.
  for (const edit of isEnd ? [] : await notationsOf(context, operation, input)) {
    const fresh = await renewedRequest(context, input)
    const intent = { variantOf, isNotation: true } as const
    if (fresh) await sendOnce(context, operation, { ...fresh, ...edit(fresh.body), intent })
  }
  const intent = { variantOf }
  const alias = context.contract.operations.find((it) => it.isAlias && it.id === id)
  const fresh = alias && (await renewedRequest(context, input))
  if (fresh) {
    // The shorter path shows fewer fields.
    const body = id === 'createWebhook' ? { url: fieldsOf(fresh.body).url } : fresh.body
    await sendOnce(
      context,
      operation,
      { ...fresh, body, at: pathOf(alias, input), intent },
      (webhook_id) => context.send('getWebhook', { path: { webhook_id } }),
    )
  }
  if (input.body === undefined) return
  const types = TYPES.map((type) => ({ headers: { 'content-type': type } }))
  // A body that does not say its length. What reads it reads those of all operations.
  const chunked = {
    body: padded(input.body, LARGEST + 1),
    headers: { 'transfer-encoding': 'chunked' },
  }
  const streams = id === 'checkKey' ? [chunked] : []
  for (const edit of [...unreadable(input.body).map((body) => ({ body })), ...types, ...streams])
    await sendOnce(context, operation, { ...input, ...edit, intent })
}

type Notation = (body: unknown) => Input

/** The same request in other notations, each of which a service must accept. */
async function notationsOf(
  context: PlanContext,
  operation: Operation,
  input: Input,
): Promise<Notation[]> {
  const header = await context.identities.authorization('partner', operation)
  const authorization = header?.replace(/^\w+/, (it) => it.toLowerCase())
  return [
    ...[undefined, '*/*'].map((accept) => () => ({ headers: { accept } })),
    ...(input.body === undefined ? [] : BODY_NOTATIONS),
    // What reads a body reads those of all operations.
    ...(operation.id === 'checkKey' ? [withFieldTwice] : []),
    ...(authorization === undefined ? [] : [() => ({ by: { authorization } })]),
  ]
}

/** Bytes of the largest body (64 KB). */
const LARGEST = 65_536

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
  (body) => ({ body: padded(body, LARGEST) }),
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
  const name = Object.entries(fieldsOf(body)).find(([, it]) => typeof it === 'string')?.[0]
  return [
    UNREADABLE,
    '\u0000',
    '',
    open,
    `${open},}`,
    `${json}}`,
    `/* a */${json}`,
    ...(name === undefined ? [] : [`${open},${JSON.stringify(name)}:7}`]),
    padded(body, LARGEST + 1),
  ]
}

const TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/vnd.api+json',
  undefined,
]
