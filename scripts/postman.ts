import {
  stepsOf as keysOf,
  type Operation,
  type Origin,
  type OriginValue,
  type Response,
  readContract,
} from '@partner-payments/contract'
import type { Behaviour } from '@partner-payments/spec/behaviour'

/** The contract as a Postman collection that runs from its first request to its last. */

/**
 * Expressions for fields whose example works once, or until a date. The dates of an example keep
 * their order.
 */
const GENERATED: Readonly<Record<string, string>> = {
  tx_id: `pm.variables.replaceIn('{{$guid}}').replaceAll('-', '')`,
  date: 'new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10)',
  due_date: 'new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)',
}

/** Runs before each request. */
const GENERATE = Object.entries(GENERATED).map(
  ([name, expression]) => `pm.variables.set('${name}', ${expression})`,
)

const DESCRIPTION = `Set \`base_url\`, \`client_key\`, \`client_secret\` and the two keys, then run the collection from the top.
The sign-in stores the token; each request stores the ids and codes that later ones send. If one of them is missing, the run stops, and no request is
sent without it. The initial values are those of the sandbox on this machine. **On another service, "Transfers" moves real money.** If the
response to a payment is lost, it may have been paid: do not send it again.

A test whose name begins with "fact" checks what the source document of the service states. One that begins with "assumption" checks what
the contract assumes where the document is silent: if it fails, the service is right.`

const VARIABLES = {
  base_url: 'http://127.0.0.1:4020',
  client_key: 'partner',
  client_secret: 'secret',
  access_token: '',
  // The key that is looked up and paid.
  key_to_pay: 'beltrana@example.com',
  // A key of the account that signs in, which the QR codes pay.
  own_key: '12ABC34501DE35',
}

/** The variables of keys in the bodies of these requests, instead of the keys of the examples. */
const KEYS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  checkKey: { dict_key: 'key_to_pay' },
  createStaticQrCode: { dict_key: 'own_key' },
  createDueDateQrCode: { dict_key: 'own_key' },
  createImmediateQrCode: { dict_key: 'own_key' },
}

/** What the collection is made from. */
export interface CollectionSources {
  /** The contract with every reference replaced by its target. */
  readonly document: Document
  readonly behaviour: Behaviour
  /** The schemas of the successes that the document shows, without assumptions. */
  readonly shownBodies: ReadonlyMap<string, object>
}

export interface Document {
  readonly info: { readonly title: string }
  readonly tags: readonly { readonly name: string; readonly 'x-displayName': string }[]
}

/**
 * Builds the collection: a request for each operation, with its assertions and the examples of its
 * responses.
 */
export function collectionOf({ document, behaviour, shownBodies }: CollectionSources): object {
  const { operations } = readContract({ document, behaviour })
  const tags = document.tags.map(({ name }) => name)
  const steps = orderOf(operations, tags)
  const links = linksOf(steps)
  const linkVariables = Object.fromEntries(links.map(({ variable }) => [variable, '']))
  const byTag = Map.groupBy(steps, (step) => folderOf(step, operations))
  return {
    info: {
      name: document.info.title,
      description: DESCRIPTION,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: parametersOf({ token: '{{access_token}}' }) },
    event: [scriptOf('prerequest', GENERATE)],
    variable: parametersOf({ ...VARIABLES, ...linkVariables }),
    item: Array.from(byTag, ([tag, ofTag]) => ({
      name: document.tags.find(({ name }) => name === tag)?.['x-displayName'] ?? tag,
      item: ofTag.map((step) => itemOf(step, links, shownBodies)),
    })),
  }
}

/**
 * An order that runs: folder by folder, and each operation after one that shows the values which it
 * sends. What ends records comes last in its folder.
 */
function orderOf(operations: readonly Operation[], tags: readonly string[]): Operation[] {
  const byTag = Map.groupBy(operations, (operation) => folderOf(operation, operations))
  const byFolder = new Map<string, readonly Operation[]>()
  for (const tag of tags) {
    const ofTag = byTag.get(tag)
    if (ofTag) byFolder.set(tag, ofTag)
  }

  const placed: Operation[] = []
  while (byFolder.size > 0) {
    const ordered = Array.from(byFolder, ([tag, ofTag]) => ({
      tag,
      steps: placeable(ofTag, placed),
    }))
    const next = ordered.find(({ tag, steps }) => steps.length === byFolder.get(tag)?.length)
    if (!next) throw new Error(`no order runs ${[...byFolder.keys()].join(', ')}`)

    placed.push(...next.steps)
    byFolder.delete(next.tag)
  }
  return placed
}

/** The operations of a folder that can run after others, in an order that runs. */
function placeable(ofFolder: readonly Operation[], before: readonly Operation[]): Operation[] {
  const waiting = new Set(ofFolder.toSorted((one, other) => rankOf(one) - rankOf(other)))
  const placed: Operation[] = []
  while (true) {
    const done = [...before, ...placed].map(({ id }) => id)
    const next = [...waiting].find((operation) => canFollow(operation, done))
    if (!next) return placed
    placed.push(next)
    waiting.delete(next)
  }
}

/** Whether earlier requests show all that it sends. */
function canFollow(operation: Operation, done: readonly string[]): boolean {
  return operation.origins.length === 0 || sourcesOf(operation, done).length > 0
}

/**
 * The operations that its values come from: the last one before it, and those that show what that
 * one does not. Empty if one of them was not sent.
 */
function sourcesOf(operation: Operation, done: readonly string[]): readonly Origin[] {
  const latestFirst = operation.origins.toSorted(
    (one, other) => done.indexOf(other.from) - done.indexOf(one.from),
  )
  const combinations = latestFirst.map((origin) => combinationOf(operation, origin))
  const isSent = ({ from }: Origin) => done.includes(from)
  return combinations.find((origins) => origins.every(isSent)) ?? []
}

/** An origin with the others whose values one request sends together. */
function combinationOf(operation: Operation, first: Origin): readonly Origin[] {
  const together = [first]
  for (const origin of operation.origins) {
    const names = namesOf(together)
    const isNew = origin.values.some(({ name }) => !names.includes(name))
    if (isNew && canBeSentTogether(operation, [...together, origin])) together.push(origin)
  }
  return together
}

/**
 * Whether an example of the body has all of their fields: a payment of a key has nothing of a code.
 * Whatever is in the path is sent anyway.
 */
function canBeSentTogether({ request }: Operation, origins: readonly Origin[]): boolean {
  const values = origins.flatMap((origin) => origin.values)
  const fields = values.filter((value) => value.in === 'body').map(({ name }) => name)
  const bodies = (request?.examples ?? []).map(({ value }) => value as object)
  return fields.length === 0 || bodies.some((body) => fields.every((field) => field in body))
}

function namesOf(origins: readonly Origin[]): string[] {
  return origins.flatMap(({ values }) => values.map(({ name }) => name))
}

/** Creations first, and last what ends records. */
function rankOf({ role }: Operation): number {
  if (role === 'create') return 0
  return role === 'cancel' || role === 'delete' ? 2 : 1
}

/**
 * The tag of the records that an operation acts on, or of those that it takes its values from; else
 * its own.
 */
function folderOf(operation: Operation, operations: readonly Operation[]): string {
  const { resource, origins, tag } = operation
  const list = operations.find((other) => other.resource === resource && other.role === 'list')
  if (resource) return list?.tag ?? tag

  const ids = origins.map(({ from }) => from)
  const tags = new Set(operations.filter(({ id }) => ids.includes(id)).map((origin) => origin.tag))
  const [only] = tags
  return tags.size === 1 && only ? only : tag
}

/** A value of a response that a later request sends. */
interface Chained {
  readonly from: string
  readonly to: string
  readonly field: string
  readonly variable: string
  /** In the body of the response. */
  readonly pointer: string
}

/** The values that a later request takes from earlier responses, each from one of them. */
function linksOf(steps: readonly Operation[]): Chained[] {
  const chained: Chained[] = []
  for (const [index, step] of steps.entries()) {
    const earlier = steps.slice(0, index).map(({ id }) => id)
    const fields = new Set<string>()
    for (const { from, values } of sourcesOf(step, earlier)) {
      const links = chainedValues(from, step.id, values)
      chained.push(...links.filter(({ field }) => !fields.has(field)))
      for (const { field } of links) fields.add(field)
    }
  }
  return chained
}

/** The values that are taken from the body of a response. */
function chainedValues(from: string, to: string, values: readonly OriginValue[]): Chained[] {
  const ofResponse = values.filter(({ side }) => side === 'response')
  return ofResponse.map(({ name, pointer }) => ({
    from,
    to,
    field: name,
    variable: `${to}.${name}`,
    pointer,
  }))
}

function itemOf(
  step: Operation,
  links: readonly Chained[],
  shownBodies: ReadonlyMap<string, object>,
): object {
  const { id, summary } = step
  const linked = links.filter(({ to }) => to === id)
  const sent = new Map(linked.map(({ field, variable }) => [field, variable]))
  const request = requestOf(step, sent)
  return {
    name: `${id}: ${summary}`,
    event: [...guardOf(sent), scriptOf('test', assertionsOf(step, links, shownBodies))],
    request,
    response: responsesOf(step, request),
  }
}

function requestOf(step: Operation, sent: ReadonlyMap<string, string>): object {
  const { description, method, scheme } = step
  const body = bodyOf(step, sent)
  return {
    method,
    description,
    ...(scheme === 'basic' && { auth: BASIC }),
    url: urlOf(step, sent),
    ...(body !== undefined && {
      header: parametersOf({ 'content-type': 'application/json' }),
      body: { mode: 'raw', raw: body, options: { raw: { language: 'json' } } },
    }),
  }
}

const BASIC = {
  type: 'basic',
  basic: parametersOf({ username: '{{client_key}}', password: '{{client_secret}}' }),
}

/** The examples of the responses to a request. */
function responsesOf({ responses }: Operation, request: object): object[] {
  return responses.flatMap(({ status, body, node }) =>
    (body?.examples ?? []).map(({ name, value }) => ({
      name,
      originalRequest: request,
      code: Number(status),
      header: parametersOf({ 'content-type': mediaTypeOf(node) }),
      body: JSON.stringify(value, undefined, 2),
    })),
  )
}

function mediaTypeOf({ content = {} }: Response['node']): string {
  return Object.keys(content as object).join()
}

/** The example of a request, with variables in place of what is linked, generated or a key. */
function bodyOf(step: Operation, sent: ReadonlyMap<string, string>): string | undefined {
  const { id, request } = step
  const bodies = (request?.examples ?? []).map(({ value }) => value as object)
  // Of several kinds of requests, the one that has all linked fields.
  const hasLinkedFields = (body: object) => [...sent.keys()].every((field) => field in body)
  const example = bodies.find(hasLinkedFields) ?? bodies[0]
  if (example === undefined) return undefined

  const keys = KEYS[id] ?? {}
  const withVariables = (name: string, value: unknown) => {
    const generated = name in GENERATED ? name : undefined
    const variable = sent.get(name) ?? keys[name] ?? generated
    return variable === undefined ? value : `{{${variable}}}`
  }
  return JSON.stringify(example, withVariables, 2)
}

function urlOf({ id, path, parameters }: Operation, sent: ReadonlyMap<string, string>): object {
  const query = parameters.filter((parameter) => parameter.in === 'query')
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  const named = path.replaceAll(/\{(\w+)\}/g, ':$1')
  return {
    raw: `{{base_url}}${named}`,
    host: ['{{base_url}}'],
    path: named.slice(1).split('/'),
    query: query.map(({ name, description }) => ({
      key: name,
      value: '',
      description,
      disabled: true,
    })),
    variable: inPath.map(({ name, description }) => ({
      key: name,
      value: `{{${variableOf(name)}}}`,
      description,
    })),
  }

  function variableOf(name: string): string {
    const variable = sent.get(name)
    if (variable === undefined) throw new Error(`no earlier response shows ${name} for ${id}`)
    return variable
  }
}

/**
 * Skips a request whose variables an earlier one did not set: sent alone, it would send an empty
 * value.
 */
function guardOf(sent: ReadonlyMap<string, string>): object[] {
  const variables = [...new Set(sent.values())]
  if (variables.length === 0) return []
  return [
    scriptOf('prerequest', [
      `const missing = ${JSON.stringify(variables)}.filter((name) => !pm.variables.get(name))`,
      `if (missing.length > 0) {`,
      `  console.error('not sent: an earlier request must set ' + missing.join(', '))`,
      `  pm.execution.skipRequest()`,
      `}`,
    ]),
  ]
}

function assertionsOf(
  step: Operation,
  links: readonly Chained[],
  shownBodies: ReadonlyMap<string, object>,
): string[] {
  const { id, success } = step
  const { status } = success
  const lines = [
    `pm.test('fact: has the status ${status}', () => pm.response.to.have.status(${status}))`,
  ]

  const shown = shownBodies.get(id)
  if (shown) lines.push(schemaTest('fact: has what the document shows', shown))

  const schema = success.body?.schema
  if (schema) lines.push(schemaTest('assumption: matches the schema of the contract', schema))

  lines.push(...storingLines(step, status, links))
  return lines
}

function schemaTest(name: string, schema: object): string {
  return `pm.test('${name}', () => pm.response.to.have.jsonSchema(${JSON.stringify(schema)}))`
}

/** Stores the values that later requests send. Without one of them, the run stops. */
function storingLines(
  { id, scheme }: Operation,
  status: string,
  links: readonly Chained[],
): string[] {
  const values: string[] = []
  for (const { from, variable, pointer } of links)
    if (from === id) values.push(fieldOf(variable, pointer))
  if (scheme === 'basic') values.push(fieldOf('access_token', '/access_token'))
  if (values.length === 0) return []

  return [
    `let body`,
    `try { body = pm.response.json() } catch {}`,
    `if (pm.response.code !== ${status}) body = undefined`,
    `const values = {`,
    ...values,
    `}`,
    `for (const [name, value] of Object.entries(values)) {`,
    `  pm.collectionVariables.set(name, value ?? '')`,
    `  if (value === undefined || value === null || value === '') {`,
    `    console.error('the run stops: the response has no ' + name)`,
    `    pm.execution.setNextRequest(null)`,
    `  }`,
    `}`,
  ]
}

/** The field of `values` that has the value of the response at a pointer. */
function fieldOf(variable: string, pointer: string): string {
  const keys = keysOf(pointer).map((key) => `?.[${JSON.stringify(key)}]`)
  return `  ${JSON.stringify(variable)}: body${keys.join('')},`
}

function scriptOf(listen: 'prerequest' | 'test', exec: readonly string[]) {
  return { listen, script: { type: 'text/javascript', exec } }
}

function parametersOf(values: Readonly<Record<string, string>>): object[] {
  return Object.entries(values).map(([key, value]) => ({ key, value, type: 'string' }))
}
