import type { Operation } from '../contract/contract.ts'
import { fieldsOf } from '../contract/json.ts'
import { UNREADABLE } from '../send/guard.ts'
import { type Input, pathOf } from '../send/sender.ts'
import { sendOnce } from './edits.ts'
import type { Plan, PlanContext } from './plan.ts'
import { renewedRequest, validRequest } from './valid.ts'

/** What HTTP and JSON leave open: methods, slashes, media types, notations. */
export const http: Plan = {
  id: 'http',
  says: 'Sends HEAD, other methods and paths, other media types, broken JSON, unreadable ids and other notations of valid requests.',
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
    for (const operation of contract.operations.filter(({ id, isAlias }) => !isAlias && isChosen(id))) {
      if (signal.aborted) return
      const input = await validRequest(context, operation.id, { example: FIRST[operation.id] ?? 0 })
      if (input) await tryOperation(context, operation, input)
    }
  },
}

/** A static code can be checked and paid any number of times, without another request before it. */
const FIRST: Readonly<Record<string, number>> = { checkCode: 0, createTransfer: 0 }

async function tryOperation(context: PlanContext, operation: Operation, input: Input): Promise<void> {
  await trySlash(context, operation, input)
  if (operation.method === 'GET') await tryHead(context, operation, input)
  await tryMethods(context, operation, input)
  await tryIds(context, operation, input)
  const fresh =
    operation.method === 'DELETE'
      ? await validRequest(context, operation.id)
      : await renewedRequest(context, input)
  const accepted = fresh && (await sendOnce(context, operation, fresh))
  if (!accepted?.isAccepted) return
  await tryNotations(context, operation, {
    ...input,
    intent: { variantOf: accepted.sentAt, isNotation: true },
  })
  await tryAlias(context, operation, { ...input, intent: { variantOf: accepted.sentAt } })
  if (input.body === undefined) return
  for (const edit of [...unreadable(input), ...otherTypes(input)])
    await sendOnce(context, operation, { ...edit, intent: { variantOf: accepted.sentAt } })
}

async function tryHead({ send }: PlanContext, operation: Operation, input: Input): Promise<void> {
  const unknown = Object.fromEntries(Object.keys(input.path ?? {}).map((name) => [name, UNKNOWN]))
  const isById = Object.keys(unknown).length > 0
  for (const it of [input, { ...input, by: null }, ...(isById ? [{ ...input, path: unknown }] : [])]) {
    await send(operation.id, it)
    await send(operation.id, { ...it, method: 'HEAD' })
  }
}

const UNKNOWN = '00000000-0000-4000-8000-000000000000'
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** The methods that a path does not have, sent once for each path. */
async function tryMethods(
  { send, contract }: PlanContext,
  operation: Operation,
  input: Input,
): Promise<void> {
  const unknown = Object.fromEntries(Object.keys(input.path ?? {}).map((name) => [name, UNKNOWN]))
  const path = pathOf(operation, { path: unknown })
  const first = contract.operations.find((it) => it.path === operation.path)
  if (first !== operation) return
  for (const method of METHODS.filter((it) => !contract.find(it, path)))
    await send(operation.id, { at: path, method })
}

async function trySlash(context: PlanContext, operation: Operation, input: Input): Promise<void> {
  const path = pathOf(operation, input)
  const at = path.endsWith('/') ? path.slice(0, -1) : `${path}/`
  if (!/^(GET|POST)$/.test(operation.method) || context.contract.find(operation.method, at)) return
  await sendOnce(context, operation, { ...input, at })
}

/** Ids that break number parsers, path handling, SQL statements and stores, and that a loose comparison accepts. */
async function tryIds({ send }: PlanContext, operation: Operation, input: Input): Promise<void> {
  for (const [name, id] of Object.entries(input.path ?? {})) {
    const similar = [`${id} `, ` ${id}`, `${id}x`, id.slice(0, 8)]
    for (const it of ['x', '%00', '..%2f..', "'", 'a'.repeat(2_000), ...similar])
      await send(operation.id, { ...input, path: { ...input.path, [name]: it } })
  }
}

/** The same request in other notations, each of which a service must accept. */
async function tryNotations(context: PlanContext, operation: Operation, input: Input): Promise<void> {
  // A record can be ended only once.
  if (operation.method === 'DELETE') return
  for (const edit of [...otherHeaders(), ...otherBodies()]) {
    const fresh = await renewedRequest(context, input)
    const edited = fresh && edit(fresh)
    if (edited) await sendOnce(context, operation, edited)
  }
  const authorization = await context.authorization('partner', operation)
  const fresh = await renewedRequest(context, input)
  const by = { authorization: authorization?.replace(/^\w+/, (it) => it.toLowerCase()) ?? '' }
  if (fresh && authorization !== undefined) await sendOnce(context, operation, { ...fresh, by })
}

type Notation = (input: Input) => Input | undefined

function otherHeaders(): Notation[] {
  const accepts = [undefined, '*/*'].map((accept) => (input: Input) => ({ ...input, headers: { accept } }))
  const types = ['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"']
  const typed = types.map(
    (type) => (input: Input) =>
      input.body === undefined ? undefined : { ...input, headers: { 'content-type': type } },
  )
  return [...accepts, ...typed]
}

/** Whitespace, escapes and another order (RFC 8259, sections 2, 4 and 7), and as many bytes as are allowed. */
function otherBodies(): Notation[] {
  const edits: ((body: unknown) => string)[] = [
    (body) => JSON.stringify(body, null, 2),
    (body) =>
      JSON.stringify(body).replaceAll(
        /"([a-z])/gi,
        (_, it: string) => `"\\u00${it.charCodeAt(0).toString(16)}`,
      ),
    (body) => JSON.stringify(Object.fromEntries(Object.entries(fieldsOf(body)).reverse())),
    (body) => JSON.stringify(body) + ' '.repeat(ROOM),
  ]
  return edits.map(
    (edit) => (input) => (input.body === undefined ? undefined : { ...input, body: edit(input.body) }),
  )
}

/** Spaces that leave room for the JSON below the limit of 64 KB, and those that do not. */
const ROOM = 60_000
const TOO_MANY = 66_560

/** Bodies that are no valid JSON, or too large (RFC 8259, section 2). */
function unreadable(input: Input): Input[] {
  const json = JSON.stringify(input.body)
  const open = json.slice(0, -1)
  const texts = [
    UNREADABLE,
    'nonsense',
    '\u0000',
    '',
    open,
    `${open},}`,
    `${json}}`,
    `${json} x`,
    `/* a */${json}`,
  ]
  const name = Object.entries(fieldsOf(input.body)).find(([, it]) => typeof it === 'string')?.[0]
  const repeated = name === undefined ? [] : [`${open},${JSON.stringify(name)}:7}`]
  return [...texts, json.replaceAll('"', "'"), ...repeated, json + ' '.repeat(TOO_MANY)].map((body) => ({
    ...input,
    body,
  }))
}

const TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/xml',
  'application/vnd.api+json',
  undefined,
]

function otherTypes(input: Input): Input[] {
  return TYPES.map((type) => ({ ...input, headers: { 'content-type': type } }))
}

/** The shorter path of the guide, which shows fewer fields. */
async function tryAlias(context: PlanContext, operation: Operation, input: Input): Promise<void> {
  const alias = context.contract.operations.find(({ id, isAlias }) => isAlias && id === operation.id)
  const fresh = alias && (await renewedRequest(context, input))
  if (!fresh) return
  const { body } = fresh
  const { url } = fieldsOf(body)
  const shorter = alias.id === 'createWebhook' ? { body: { url } } : {}
  await sendOnce(context, operation, { ...fresh, ...shorter, at: pathOf(alias, input) })
}
