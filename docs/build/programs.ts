import { inspect } from 'node:util'
import { stepsOf } from '@partner-payments/contract'
import { isNode, type Operation, parameterExamples, QUERY } from './contract.ts'

/** What a program calls the result of an operation, and what it prints of it. */
interface Result {
  /** Absent: the program prints without a result. */
  readonly name?: string
  readonly printed: string
}

const TOKENS: Result = { name: 'tokens', printed: 'tokens.expiration' }
const NEW_CODE: Result = { name: 'code', printed: 'code.emv' }
const LISTED_CODE: Result = { name: 'code', printed: 'code.tx_id, code.status' }
const CANCELLED_CODE: Result = { name: 'cancelled', printed: 'cancelled?.status' }
const WEBHOOK_WITH_SECRET: Result = { name: 'webhook', printed: 'webhook.id' }

/** Better words than the contract gives. An operation that is missing here has those. */
const RESULTS: Readonly<Record<string, Result>> = {
  signIn: TOKENS,
  impersonate: TOKENS,
  checkCode: { name: 'code', printed: 'code.beneficiary.name, code.final_amount' },
  checkKey: { name: 'payee', printed: 'payee.owner_name' },
  createStaticQrCode: NEW_CODE,
  createImmediateQrCode: NEW_CODE,
  createDueDateQrCode: NEW_CODE,
  listImmediateQrCodes: LISTED_CODE,
  listDueDateQrCodes: LISTED_CODE,
  cancelImmediateQrCode: CANCELLED_CODE,
  cancelDueDateQrCode: CANCELLED_CODE,
  listUsers: { name: '{ users }', printed: 'users.map((user) => user.username)' },
  getUser: { name: '{ user, customers }', printed: 'user.username, customers.length' },
  listWebhooks: { name: '{ data }', printed: 'data.map((webhook) => webhook.url)' },
  createWebhook: WEBHOOK_WITH_SECRET,
  rotateWebhookSecret: WEBHOOK_WITH_SECRET,
  getWebhook: { name: 'webhook', printed: 'webhook.url, webhook.status' },
  updateWebhook: { name: 'webhook', printed: 'webhook.status' },
  deleteWebhook: { printed: "'deleted'" },
  guideListWebhooks: { name: 'data', printed: 'data.data.map((webhook) => webhook.url)' },
  guideCreateWebhook: { name: 'data', printed: 'data.id' },
  guideCheckCode: { name: 'data', printed: 'data.beneficiary.name, data.final_amount' },
  guideCheckKey: { name: 'data', printed: 'data.owner_name' },
}

/** What a program calls the result, and prints of it: in chosen words, or in those of the contract. */
function chooseResult(operation: Operation): Result {
  return RESULTS[operation.id] ?? genericResult(operation)
}

/**
 * What a program calls the result of an operation, and which expression it prints: the fields that
 * say most about a record, such as `{ name: 'result', printed: 'result.id, result.status' }`. Without
 * a body in the response there is no name, and a text is printed.
 */
function genericResult(operation: Operation): Result {
  // `printed` has the pointers of the fields to print.
  const { role, aliasOf, record, success, isPaged, printed, method } = operation
  if (!success.body) return { printed: `'${role}: done'` }

  // A short path is called by its path, which returns `{ data, error }`; a method returns the body.
  const isCalledByPath = aliasOf !== undefined
  const name = isCalledByPath ? 'data' : 'result'

  // A list in one response: the fields of each record.
  if (record?.isList && !isPaged) {
    const list = writeProperty(name, record.pointer)
    return { name, printed: `${list}.map((record) => [${writeProperties('record', printed)}])` }
  }

  if (printed.length === 0) return { name, printed: name }

  const mayReturnNothing = method === 'DELETE'
  return { name, printed: writeProperties(mayReturnNothing ? `${name}?` : name, printed) }
}

/** The expressions for fields of a value, such as `code.id, code.status`. */
function writeProperties(value: string, pointers: readonly string[]): string {
  return pointers.map((pointer) => writeProperty(value, pointer)).join(', ')
}

/** The expression for a field of a value, such as `code.payer.name`. */
function writeProperty(value: string, pointer: string): string {
  return [value, ...stepsOf(pointer)].join('.')
}

/** What a program says before a call. */
const BEFORE: Readonly<Record<string, string>> = {
  signIn: 'Seldom needed: the client signs in by itself.',
  impersonate: 'Seldom needed: payments.as(…) does it by itself.',
}

/** What a program says once it has the result. */
const AFTER: Readonly<Record<string, string>> = {
  createWebhook: 'Store webhook.secret now, where you keep passwords.',
  rotateWebhookSecret: 'Give the receiver webhook.secret now, beside the old one.',
  guideCreateWebhook: 'Store data.secret now, where you keep passwords.',
}

/** A payment looks the key up first, and says what an unknown outcome means. */
const PAYMENTS: Readonly<Record<string, string>> = {
  createTransfer: `// Show payee.owner_name to the person who pays.
const payee = await payments.keys.check('beltrana@example.com')

// If the payment may have been made, this rejects with
// an OutcomeUnknownError: do not send it again.
const transfer = await payee.pay({
  amount: '25.00',
  description: 'Almoço',
})
console.log(transfer.status)
`,
  guideCreateTransfer: `// Show owner.data.owner_name to the person who pays.
const dict_key = 'beltrana@example.com'
const owner = await api.POST('/pix/key', { body: { dict_key } })
if (owner.error) throw new Error(owner.error.title)

// If the payment may have been made, this rejects with
// an OutcomeUnknownError: do not send it again.
const { data, error } = await api.POST('/pix/out', {
  body: {
    type: 'dict',
    amount: '25.00',
    description: 'Almoço',
    initiation_id: owner.data.initiation_id,
    dict_key,
  },
})
if (error) throw new Error(error.title)
console.log(data.status)
`,
}

/**
 * A whole TypeScript program that sends the example of an operation with the client. A short path
 * has no method of the client, so it is called by its path.
 */
export function writeProgram(operation: Operation, body: unknown): string {
  const payment = PAYMENTS[operation.id]
  const isShort = operation.aliasOf !== undefined
  if (isShort) {
    const call = payment ?? callByPath(operation, body)
    return writeSetUp('api', 'createClient') + call
  }

  const call = payment ?? callByName(operation, body)
  return writeSetUp('payments', 'createPayments') + call
}

/** The lines of a program that create the client. */
function writeSetUp(name: string, create: string): string {
  return `import { ${create} } from '@partner-payments/client'

const { BASE_URL: baseUrl = 'http://127.0.0.1:4010' } = process.env
const { CLIENT_KEY: clientKey = '', CLIENT_SECRET: clientSecret = '' } = process.env
const ${name} = ${create}({ baseUrl, auth: { clientKey, clientSecret } })

`
}

/**
 * The lines that call an operation by its method, such as `payments.keys.check(…)`, and print the
 * result. Ids of the path are constants above the call; a paged list is read in a loop.
 */
function callByName(operation: Operation, body: unknown): string {
  const { id, tag, name: method, isPaged, parameters } = operation
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  const callArguments = inPath.map(({ name }) => name)
  const input = selectQuery(operation) ?? selectInput(operation, body)
  if (input !== undefined) callArguments.push(literal(input))
  const call = `payments.${tag}.${method}(${callArguments.join(', ')})`

  const constants = inPath.map(({ name, example }) => `const ${name} = '${example}'`)
  const use = isPaged ? writeLoop(operation, call) : awaitCall(operation, call)
  return joinLines([...writeComment(BEFORE, id), ...constants, ...use])
}

/** The filters that leave something in a list; undefined if the operation has none of them. */
function selectQuery(operation: Operation): Record<string, string> | undefined {
  const examples = Object.entries(parameterExamples(operation))
  const query = examples.filter(([name]) => QUERY.includes(name))
  return query.length > 0 ? Object.fromEntries(query) : undefined
}

/** The fields whose value the client takes as it is. */
const BARE_INPUTS: Readonly<Record<string, string>> = {
  checkCode: 'emv',
  checkKey: 'dict_key',
}

/**
 * What a program passes to the client beside the path: the body, or for a check only the key or the
 * code, as the client takes it. Undefined for nothing.
 */
function selectInput({ id, scheme }: Operation, body: unknown): unknown {
  // A sign-in: the client has the credentials already.
  if (scheme === 'basic') return undefined
  const field = BARE_INPUTS[id]
  if (!field) return body
  return isNode(body) ? body[field] : undefined
}

/** The lines of a program that read all pages of a list. */
function writeLoop(operation: Operation, call: string): string[] {
  const { name, printed } = chooseResult(operation)
  return [
    '// Every record, page after page.',
    `for await (const ${name} of ${call}) {`,
    `  console.log(${printed})`,
    '}',
  ]
}

/** The lines of a program that call an operation once, and print its result. */
function awaitCall(operation: Operation, call: string): string[] {
  const { name, printed } = chooseResult(operation)
  return [
    name ? `const ${name} = await ${call}` : `await ${call}`,
    ...writeComment(AFTER, operation.id),
    `console.log(${printed})`,
  ]
}

/** The lines of a program that call a short path. */
function callByPath(operation: Operation, body: unknown): string {
  const { id, method, path } = operation
  const options = body === undefined ? '' : `, ${literal({ body })}`
  return joinLines([
    `const { data, error } = await api.${method}('${path}'${options})`,
    'if (error) throw new Error(error.title)',
    ...writeComment(AFTER, id),
    `console.log(${chooseResult(operation).printed})`,
  ])
}

/** The comment about an operation, if there is one. */
function writeComment(comments: Readonly<Record<string, string>>, id: string): string[] {
  const comment = comments[id]
  return comment ? [`// ${comment}`] : []
}

/** JSON as JavaScript. */
function literal(value: unknown): string {
  return inspect(value, { depth: Number.POSITIVE_INFINITY, breakLength: 60 })
}

function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}
