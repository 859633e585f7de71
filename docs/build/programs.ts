import { inspect } from 'node:util'
import { type Operation, parameterExamples, QUERY } from './contract.ts'

/** What a program calls the result of an operation, and what it prints of it. */
const RESULTS: readonly (readonly [operation: RegExp, name: string, printed: string])[] = [
  [/^(signIn|impersonate)$/, 'tokens', 'tokens.expiration'],
  [/^checkCode$/, 'code', 'code.beneficiary.name, code.final_amount'],
  [/^checkKey$/, 'payee', 'payee.owner_name'],
  [/^create.*QrCode$/, 'code', 'code.emv'],
  [/^list.*QrCodes$/, 'code', 'code.tx_id, code.status'],
  [/^cancel.*QrCode$/, 'cancelled', 'cancelled.status'],
  [/^listUsers$/, '{ users }', 'users.map((user) => user.username)'],
  [/^getUser$/, '{ user, customers }', 'user.username, customers.length'],
  [/^listWebhooks$/, '{ data }', 'data.map((webhook) => webhook.url)'],
  [/^(createWebhook|rotateWebhookSecret)$/, 'webhook', 'webhook.id'],
  [/^getWebhook$/, 'webhook', 'webhook.url, webhook.status'],
  [/^updateWebhook$/, 'webhook', 'webhook.status'],
  [/^deleteWebhook$/, '', "'deleted'"],
  [/^guideListWebhooks$/, 'data', 'data.data.map((webhook) => webhook.url)'],
  [/^guideCreateWebhook$/, 'data', 'data.id'],
  [/^guideCheckCode$/, 'data', 'data.beneficiary.name, data.final_amount'],
  [/^guideCheckKey$/, 'data', 'data.owner_name'],
]

function resultOf(id: string) {
  const [, name = '', printed = ''] = RESULTS.find(([operation]) => operation.test(id)) ?? []
  if (!printed) throw new Error(`docs/build/programs.ts has no result of ${id}`)
  return { name, printed }
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
 * The request of an operation as a program that uses the client. Short paths are called by path.
 */
export function programOf(operation: Operation, body: unknown): string {
  const isShort = 'x-alias-of' in operation.node
  const [create, name] = isShort ? ['createClient', 'api'] : ['createPayments', 'payments']
  const text =
    PAYMENTS[operation.node.operationId] ??
    (isShort ? callByPath(operation, body) : callByName(operation, body))
  return `import { ${create} } from '@partner-payments/client'

const { BASE_URL: baseUrl = 'http://127.0.0.1:4010' } = process.env
const { CLIENT_KEY: clientKey = '', CLIENT_SECRET: clientSecret = '' } = process.env
const ${name} = ${create}({ baseUrl, auth: { clientKey, clientSecret } })

${text}`
}

function callByName(operation: Operation, body: unknown): string {
  const { operationId: id, tags } = operation.node
  const examples = Object.entries(parameterExamples(operation))
  const inPath = examples.filter(([name]) => operation.path.includes(`{${name}}`))
  const query = Object.fromEntries(examples.filter(([name]) => QUERY.includes(name)))
  const isList = Object.keys(query).length > 0
  // The client takes a code and a key as they are.
  const input = /^check/.test(id) ? Object.values(Object(body))[0] : isList ? query : body
  const isSent = input !== undefined && id !== 'signIn'
  const given = [...inPath.map(([name]) => name), ...(isSent ? [literal(input)] : [])]
  // `createDueDateQrCode` is `qrcodes.createDueDate`, as the build of the client names it.
  const verb = id.replace(/(Code|Key|Transfer|QrCode|User|Webhook)s?(?=$|Secret$)/, '')
  const call = `payments.${tags[0]}.${verb}(${given.join(', ')})`
  const { name, printed } = resultOf(id)
  return lines(
    BEFORE[id] && `// ${BEFORE[id]}`,
    ...inPath.map(([name, example]) => `const ${name} = '${example}'`),
    ...(isList
      ? [
          '// Every record, page after page.',
          `for await (const ${name} of ${call}) {`,
          `  console.log(${printed})`,
          '}',
        ]
      : [
          `${name && `const ${name} = `}await ${call}`,
          AFTER[id] && `// ${AFTER[id]}`,
          `console.log(${printed})`,
        ]),
  )
}

function callByPath({ node, method, path }: Operation, body: unknown): string {
  const { operationId: id } = node
  const given = body === undefined ? '' : `, ${literal({ body })}`
  return lines(
    `const { data, error } = await api.${method.toUpperCase()}('${path}'${given})`,
    'if (error) throw new Error(error.title)',
    AFTER[id] && `// ${AFTER[id]}`,
    `console.log(${resultOf(id).printed})`,
  )
}

/** JSON as JavaScript. */
function literal(value: unknown): string {
  return inspect(value, { depth: Number.POSITIVE_INFINITY, breakLength: 60 })
}

function lines(...texts: readonly (string | undefined)[]): string {
  return texts
    .filter(Boolean)
    .map((it) => `${it}\n`)
    .join('')
}
