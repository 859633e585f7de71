/** The contract as a Postman collection that runs from its first request to its last. */
import { type Operation, type Response, readContract } from '@partner-payments/contract'
import { FIRST_PARTNER } from '@partner-payments/sandbox/first-partner'
import type { Behaviour } from '@partner-payments/spec/behaviour'
import { type Chained, listChained } from './postman/chained.ts'
import { findFolder, sortToRun } from './postman/order.ts'
import { createGuard, createScript, writeAssertions } from './postman/scripts.ts'

/** By the name of a field that a request sends, the variable that has its value. */
type SentVariables = ReadonlyMap<string, string>

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
  client_key: FIRST_PARTNER.client_key,
  client_secret: FIRST_PARTNER.client_secret,
  access_token: '',
  // The key that is looked up and paid.
  key_to_pay: 'beltrana@example.com',
  // A key of the account that signs in, which the QR codes pay.
  own_key: FIRST_PARTNER.dict_key,
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
export function createCollection({ document, behaviour, shownBodies }: CollectionSources): object {
  const { operations } = readContract({ document, behaviour })
  const tags = document.tags.map(({ name }) => name)
  const steps = sortToRun(operations, tags)
  const chained = listChained(steps)
  const chainedVariables = Object.fromEntries(chained.map(({ variable }) => [variable, '']))

  const stepsByTag = Map.groupBy(steps, (step) => findFolder(step, operations))
  const folders = Array.from(stepsByTag, ([tag, stepsOfTag]) => ({
    name: nameFolder(tag, document),
    item: stepsOfTag.map((step) => createItem(step, chained, shownBodies)),
  }))
  return {
    info: {
      name: document.info.title,
      description: DESCRIPTION,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: toParameters({ token: '{{access_token}}' }) },
    event: [createScript('prerequest', GENERATE)],
    variable: toParameters({ ...VARIABLES, ...chainedVariables }),
    item: folders,
  }
}

function nameFolder(tag: string, { tags }: Document): string {
  const declaredTag = tags.find(({ name }) => name === tag)
  return declaredTag?.['x-displayName'] ?? tag
}

/**
 * An entry of the collection for one operation: its scripts, its request, and the examples of its
 * responses.
 *
 * @param chained The values that requests take from earlier responses.
 */
function createItem(
  step: Operation,
  chained: readonly Chained[],
  shownBodies: ReadonlyMap<string, object>,
): object {
  const { id, summary } = step
  const variables = new Map<string, string>()
  for (const { to, field, variable } of chained) if (to === id) variables.set(field, variable)

  const test = createScript('test', writeAssertions(step, chained, shownBodies))
  const request = createRequest(step, variables)
  return {
    name: `${id}: ${summary}`,
    event: [...createGuard(variables), test],
    request,
    response: createResponses(step, request),
  }
}

/**
 * The request of an entry of the collection, with its example as the body.
 *
 * @param variables The variables that stand for values of earlier responses, by the field that
 * sends them.
 */
function createRequest(step: Operation, variables: SentVariables): object {
  const { description, method, scheme } = step
  const request: Record<string, unknown> = { method, description }
  if (scheme === 'basic') request.auth = BASIC
  request.url = createUrl(step, variables)

  const body = writeBody(step, variables)
  if (body !== undefined) {
    request.header = toParameters({ 'content-type': 'application/json' })
    request.body = { mode: 'raw', raw: body, options: { raw: { language: 'json' } } }
  }
  return request
}

const BASIC = {
  type: 'basic',
  basic: toParameters({ username: '{{client_key}}', password: '{{client_secret}}' }),
}

/** The examples of the responses to a request. */
function createResponses({ responses }: Operation, request: object): object[] {
  const examples: object[] = []
  for (const { status, body, node } of responses) {
    for (const { name, value } of body?.examples ?? []) {
      examples.push({
        name,
        originalRequest: request,
        code: Number(status),
        header: toParameters({ 'content-type': readMediaType(node) }),
        body: JSON.stringify(value, undefined, 2),
      })
    }
  }
  return examples
}

function readMediaType({ content = {} }: Response['node']): string {
  return Object.keys(content as object).join()
}

/**
 * The body of a request as text; undefined if it has none. It is an example with variables, such as
 * `{{key_to_pay}}`, in place of what an earlier response shows, of what is generated, and of keys.
 */
function writeBody(step: Operation, variables: SentVariables): string | undefined {
  const example = chooseExample(step, [...variables.keys()])
  if (example === undefined) return undefined

  const variableByField = listVariables(step, variables)
  const withVariable = (field: string, value: unknown) => {
    const variable = variableByField.get(field)
    return variable === undefined ? value : `{{${variable}}}`
  }
  return JSON.stringify(example, withVariable, 2)
}

/** By field, the variable of an earlier response, or else of a key, or else of a generated value. */
function listVariables({ id }: Operation, sentVariables: SentVariables): SentVariables {
  const variables = new Map<string, string>()
  // The variable of a generated value has the name of its field.
  for (const field of Object.keys(GENERATED)) variables.set(field, field)
  for (const [field, variable] of Object.entries(KEYS[id] ?? {})) variables.set(field, variable)
  for (const [field, variable] of sentVariables) variables.set(field, variable)
  return variables
}

/** The example of a body that has all of these fields, or else the first; undefined for no body. */
function chooseExample({ request }: Operation, fields: readonly string[]): object | undefined {
  const bodies = (request?.examples ?? []).map(({ value }) => value as object)
  const hasAllFields = (body: object) => fields.every((field) => field in body)
  return bodies.find(hasAllFields) ?? bodies[0]
}

/** The URL of a request, whose path has a variable for each parameter. */
function createUrl(step: Operation, variables: SentVariables): object {
  const query = step.parameters.filter((parameter) => parameter.in === 'query')
  const inPath = step.parameters.filter((parameter) => parameter.in === 'path')
  const path = step.path.replaceAll(/\{(\w+)\}/g, ':$1')
  return {
    raw: `{{base_url}}${path}`,
    host: ['{{base_url}}'],
    path: path.slice(1).split('/'),
    query: query.map(({ name, description }) => ({
      key: name,
      value: '',
      description,
      disabled: true,
    })),
    variable: inPath.map(({ name, description }) => ({
      key: name,
      value: `{{${requireVariable(name, step, variables)}}}`,
      description,
    })),
  }
}

function requireVariable(name: string, { id }: Operation, variables: SentVariables): string {
  const variable = variables.get(name)
  if (variable === undefined) throw new Error(`no earlier response shows ${name} for ${id}`)
  return variable
}

/** Pairs as Postman writes them in headers, variables and credentials. */
function toParameters(values: Readonly<Record<string, string>>): object[] {
  return Object.entries(values).map(([key, value]) => ({ key, value, type: 'string' }))
}
