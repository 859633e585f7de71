import { stepsOf as keysOf } from '@partner-payments/text'

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

const DESCRIPTION = `Set \`base_url\`, \`client_key\` and \`client_secret\`, then run the collection from the top. "Sign in" stores the token; each
request stores the ids and codes that later ones send. The initial values are those of the sandbox on this machine. **On another service,
"Pay a key" moves real money.** If the response to a payment is lost, it may have been paid: do not send it again.`

const VARIABLES = {
  base_url: 'http://127.0.0.1:4020',
  client_key: 'partner',
  client_secret: 'secret',
  access_token: '',
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

type Examples = Readonly<Record<string, { readonly value: unknown }>>

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
 * examples of its responses.
 */
export function collectionOf(contract: Document): object {
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
      item: stepsIn(ids).map((step) => itemOf(step, links)),
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

function itemOf(step: Step, links: readonly Chained[]): object {
  const { operationId, summary } = step
  const request = requestOf(step, links)
  return {
    name: `${operationId}: ${summary}`,
    event: [scriptOf('test', assertionsOf(step, links))],
    request,
    response: responsesOf(step, request),
  }
}

function requestOf(step: Step, links: readonly Chained[]): object {
  const { operationId, description, method } = step
  const linked = links.filter(({ to }) => to === operationId)
  const sent = new Map(linked.map(({ field, variable }) => [field, variable]))
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

/** The example of a request, with variables in place of what is linked or generated. */
function bodyOf({ requestBody }: Step, sent: ReadonlyMap<string, string>): string | undefined {
  const examples = Object.values(jsonOf(requestBody?.content)?.examples ?? {})
  const bodies = examples.map(({ value }) => value as object)
  // Of several kinds of requests, the one that has all linked fields.
  const hasLinkedFields = (body: object) => [...sent.keys()].every((field) => field in body)
  const example = bodies.find(hasLinkedFields) ?? bodies[0]
  if (example === undefined) return undefined

  const withVariables = (name: string, value: unknown) => {
    const variable = sent.get(name) ?? (name in GENERATED ? name : undefined)
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

function assertionsOf(step: Step, links: readonly Chained[]): string[] {
  const [status] = Object.entries(step.responses).find(isSuccess) ?? []
  const schema = jsonOf(successOf(step).content)?.schema
  const isSignIn = step.operationId === 'signIn'
  const lines: string[] = []

  // Without a token, a service refuses every other request.
  if (isSignIn) lines.push('if (pm.response.code !== 200) pm.execution.setNextRequest(null)')

  lines.push(`pm.test('has the status ${status}', () => pm.response.to.have.status(${status}))`)
  if (schema)
    lines.push(
      `pm.test('matches the schema', () => pm.response.to.have.jsonSchema(${JSON.stringify(schema)}))`,
    )

  for (const { from, variable, pointer } of links)
    if (from === step.operationId) lines.push(assignmentOf(variable, pointer))
  if (isSignIn) lines.push(assignmentOf('access_token', '/access_token'))
  return lines
}

/** Stores a value of the response in a variable of the collection. */
function assignmentOf(variable: string, pointer: string): string {
  const keys = keysOf(pointer).map((key) => `?.[${JSON.stringify(key)}]`)
  return `pm.collectionVariables.set('${variable}', pm.response.json()${keys.join('')})`
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
