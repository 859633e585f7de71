import { stepsOf as keysOf } from '@partner-payments/contract'

/** The contract as a Postman collection that runs from its first request to its last. */

/**
 * The operations in an order that runs: a link of the contract leads from an earlier response to a
 * later request.
 */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  'Sign in': ['signIn'],
  'Act for a customer': ['listUsers', 'getUser', 'impersonate'],
  'Pay a key': ['checkKey', 'createTransfer'],
  'Be paid': [
    'createStaticQrCode',
    'createDueDateQrCode',
    'createImmediateQrCode',
    'checkCode',
    'listDueDateQrCodes',
    'listImmediateQrCodes',
    'cancelDueDateQrCode',
    'cancelImmediateQrCode',
  ],
  'Receive webhooks': [
    'createWebhook',
    'listWebhooks',
    'getWebhook',
    'updateWebhook',
    'rotateWebhookSecret',
    'deleteWebhook',
  ],
}

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

const DESCRIPTION = `Set \`base_url\`, \`client_key\`, \`client_secret\` and the two keys, then run the collection from the top. "Sign in"
stores the token; each request stores the ids and codes that later ones send. If one of them is missing, the run stops, and no request is
sent without it. The initial values are those of the sandbox on this machine. **On another service, "Pay a key" moves real money.** If the
response to a payment is lost, it may have been paid: do not send it again.

A test whose name begins with "fact" checks what the source document of the service states. One that begins with "assumption" checks what
the contract assumes where the document is silent: if it fails, the service is right.`

const VARIABLES = {
  base_url: 'http://127.0.0.1:4020',
  client_key: 'partner',
  client_secret: 'secret',
  access_token: '',
  // The key that "Pay a key" looks up and pays.
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

/** The contract with every reference replaced by its target. */
export interface Document {
  readonly info: { readonly title: string }
  readonly paths: Readonly<Record<string, PathItem>>
}

type PathItem = Readonly<Record<string, Operation>> & { readonly parameters?: readonly Parameter[] }

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Response>>
}

interface Parameter {
  readonly in: string
  readonly name: string
  readonly description?: string
}

interface Content {
  readonly content?: Readonly<
    Record<string, { readonly schema: object; readonly examples?: Examples }>
  >
}

type Examples = Readonly<Record<string, { readonly value: object }>>

interface Response extends Content {
  readonly description: string
  readonly links?: Readonly<Record<string, Link>>
}

interface Link {
  readonly operationId: string
  readonly parameters?: Readonly<Record<string, string>>
  readonly requestBody?: Readonly<Record<string, string>>
}

interface Step extends Operation {
  readonly method: string
  readonly path: string
}

/**
 * Builds the collection: a request for each operation of FOLDERS, with its assertions and the
 * examples of its responses. `shownBodies` are the schemas of the successes that the document
 * shows, without assumptions.
 */
export function collectionOf(contract: Document, shownBodies: ReadonlyMap<string, object>): object {
  const steps = stepsOf(contract)
  const stepsIn = (ids: readonly string[]) => ids.flatMap((id) => steps.get(id) ?? [])
  const links = linksOf(stepsIn(Object.values(FOLDERS).flat()))
  const linkVariables = Object.fromEntries(links.map(({ variable }) => [variable, '']))
  return {
    info: {
      name: contract.info.title,
      description: DESCRIPTION,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: parametersOf({ token: '{{access_token}}' }) },
    event: [scriptOf('prerequest', GENERATE)],
    variable: parametersOf({ ...VARIABLES, ...linkVariables }),
    item: Object.entries(FOLDERS).map(([name, ids]) => ({
      name,
      item: stepsIn(ids).map((step) => itemOf(step, links, shownBodies)),
    })),
  }
}

function stepsOf({ paths }: Document): Map<string, Step> {
  const steps = new Map<string, Step>()
  for (const [path, { parameters: shared = [], ...operations }] of Object.entries(paths)) {
    for (const [method, { parameters = [], ...operation }] of Object.entries(operations)) {
      steps.set(operation.operationId, {
        ...operation,
        parameters: [...shared, ...parameters],
        method: method.toUpperCase(),
        path,
      })
    }
  }
  return steps
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

/** The links that lead to a later request, each value on its own. */
function linksOf(steps: readonly Step[]): Chained[] {
  const ids = steps.map(({ operationId }) => operationId)
  const chained: Chained[] = []
  for (const [index, step] of steps.entries()) {
    for (const link of Object.values(successOf(step).links ?? {})) {
      const isLater = ids.indexOf(link.operationId) > index
      if (isLater) chained.push(...valuesOf(step.operationId, link))
    }
  }
  return chained
}

/** The values that a link takes from the body of a response. */
function valuesOf(from: string, { operationId: to, parameters, requestBody }: Link): Chained[] {
  const values: Chained[] = []
  for (const [field, expression] of Object.entries({ ...parameters, ...requestBody })) {
    const [, pointer] = /^\$response\.body#(\/.+)$/.exec(expression) ?? []
    if (pointer === undefined) continue
    values.push({ from, to, field, variable: `${to}.${field}`, pointer })
  }
  return values
}

function itemOf(
  step: Step,
  links: readonly Chained[],
  shownBodies: ReadonlyMap<string, object>,
): object {
  const { operationId, summary } = step
  const linked = links.filter(({ to }) => to === operationId)
  const sent = new Map(linked.map(({ field, variable }) => [field, variable]))
  const request = requestOf(step, sent)
  return {
    name: `${operationId}: ${summary}`,
    event: [...guardOf(sent), scriptOf('test', assertionsOf(step, links, shownBodies))],
    request,
    response: responsesOf(step, request),
  }
}

function requestOf(step: Step, sent: ReadonlyMap<string, string>): object {
  const { operationId, description, method } = step
  const body = bodyOf(step, sent)
  return {
    method,
    description,
    ...(operationId === 'signIn' && { auth: BASIC }),
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
function responsesOf({ responses }: Step, request: object): object[] {
  return Object.entries(responses).flatMap(([status, { content }]) => {
    const examples = Object.entries(jsonOf(content)?.examples ?? {})
    return examples.map(([name, { value }]) => ({
      name,
      originalRequest: request,
      code: Number(status),
      header: parametersOf({ 'content-type': Object.keys(content ?? {}).join() }),
      body: JSON.stringify(value, undefined, 2),
    }))
  })
}

/** The example of a request, with variables in place of what is linked, generated or a key. */
function bodyOf(step: Step, sent: ReadonlyMap<string, string>): string | undefined {
  const { operationId, requestBody } = step
  const examples = Object.values(jsonOf(requestBody?.content)?.examples ?? {})
  const bodies = examples.map(({ value }) => value)
  // Of several kinds of requests, the one that has all linked fields.
  const hasLinkedFields = (body: object) => [...sent.keys()].every((field) => field in body)
  const example = bodies.find(hasLinkedFields) ?? bodies[0]
  if (example === undefined) return undefined

  const keys = KEYS[operationId] ?? {}
  const withVariables = (name: string, value: unknown) => {
    const generated = name in GENERATED ? name : undefined
    const variable = sent.get(name) ?? keys[name] ?? generated
    return variable === undefined ? value : `{{${variable}}}`
  }
  return JSON.stringify(example, withVariables, 2)
}

function urlOf({ path, parameters = [] }: Step, sent: ReadonlyMap<string, string>): object {
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
      value: `{{${sent.get(name)}}}`,
      description,
    })),
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
  step: Step,
  links: readonly Chained[],
  shownBodies: ReadonlyMap<string, object>,
): string[] {
  const { operationId, responses } = step
  const [status = ''] = Object.entries(responses).find(isSuccess) ?? []
  const lines = [
    `pm.test('fact: has the status ${status}', () => pm.response.to.have.status(${status}))`,
  ]

  const shown = shownBodies.get(operationId)
  if (shown) lines.push(schemaTest('fact: has what the document shows', shown))

  const schema = jsonOf(successOf(step).content)?.schema
  if (schema) lines.push(schemaTest('assumption: matches the schema of the contract', schema))

  lines.push(...storingLines(step, status, links))
  return lines
}

function schemaTest(name: string, schema: object): string {
  return `pm.test('${name}', () => pm.response.to.have.jsonSchema(${JSON.stringify(schema)}))`
}

/** Stores the values that later requests send. Without one of them, the run stops. */
function storingLines({ operationId }: Step, status: string, links: readonly Chained[]): string[] {
  const values: string[] = []
  for (const { from, variable, pointer } of links)
    if (from === operationId) values.push(fieldOf(variable, pointer))
  if (operationId === 'signIn') values.push(fieldOf('access_token', '/access_token'))
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

function successOf({ responses }: Pick<Operation, 'responses'>): Partial<Response> {
  return Object.entries(responses).find(isSuccess)?.[1] ?? {}
}

function isSuccess([status]: readonly [string, Response]): boolean {
  return status.startsWith('2')
}

function jsonOf(content: Content['content'] = {}) {
  return Object.entries(content).find(([type]) => type.endsWith('json'))?.[1]
}

function scriptOf(listen: 'prerequest' | 'test', exec: readonly string[]) {
  return { listen, script: { type: 'text/javascript', exec } }
}

function parametersOf(values: Readonly<Record<string, string>>): object[] {
  return Object.entries(values).map(([key, value]) => ({ key, value, type: 'string' }))
}
