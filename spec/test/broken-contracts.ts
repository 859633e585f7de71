import { relative } from 'node:path'
import { getLineColLocation, type LocationObject, type NormalizedProblem } from '@redocly/openapi-core'
import { expect, it } from 'vitest'
import { check } from '../build/check.ts'
import { checkBehaviour } from '../lint/behaviour/check.ts'
import { readBehaviour } from '../lint/behaviour/read.ts'
import { readFacts } from '../lint/facts.ts'
import { readRegister } from '../lint/register.ts'
import { copySpec, type Edit } from './broken.ts'
import { contract } from './contract.ts'

type Break = readonly [what: string, rule: string, file: string, edits: readonly Edit[]]

/** Each row: an edit of the contract, the rule that must report it, the file that it must name. */
export const breaks: readonly Break[] = [
  [
    'a documented field is missing',
    'contract/facts-agree',
    'schemas/codes.yaml',
    [
      ['schemas/codes.yaml', /^ {4}revision:\n(?: {6}.*\n)+/m, ''],
      ['schemas/codes.yaml', /^ {4}- revision\n/m, ''],
    ],
  ],
  [
    'a field is added without a mark',
    'contract/facts-agree',
    'schemas/keys.yaml',
    [
      [
        'schemas/keys.yaml',
        '    owner_name:',
        '    bank_name: { type: string, description: A bank. }\n    owner_name:',
      ],
    ],
  ],
  [
    'a mark is missing, so that an assumption looks like a fact',
    'contract/facts-agree',
    'schemas/codes.yaml',
    [['schemas/codes.yaml', '      x-open-question: { enum: code-kinds }\n', '']],
  ],
  [
    'a type of the document changes',
    'contract/facts-agree',
    'schemas/auth.yaml',
    [['schemas/auth.yaml', '    expiration:\n      type: integer', '    expiration:\n      type: number']],
  ],
  [
    'a fact is marked as an assumption',
    'contract/facts-agree',
    'schemas/auth.yaml',
    [['schemas/auth.yaml', '{ meaning: token-expiration-unit }', '{ type: token-expiration-unit }']],
  ],
  [
    'a response gets a header without a mark',
    'contract/facts-agree',
    'paths/users.yaml',
    [['paths/users.yaml', '{ x-request-id:', '{ x-total: { schema: { type: string } }, x-request-id:']],
  ],
  [
    'a response gets another media type without a mark',
    'contract/facts-agree',
    'paths/codes.yaml',
    [
      [
        'paths/codes.yaml',
        /( {8}content:\n)( {10}application\/json:\n {12}schema: \{ \$ref: .*CodeCheck)/,
        '$1          text/plain: { schema: { type: string }, examples: { plain: { value: a } } }\n$2',
      ],
    ],
  ],
  [
    'a component that only assumptions refer to has no mark',
    'contract/assumptions-marked',
    'schemas/errors.yaml',
    [['schemas/errors.yaml', 'ProblemCode:\n  x-open-question: errors\n', 'ProblemCode:\n']],
  ],
  [
    'a reference cannot be resolved',
    'no-unresolved-refs',
    'paths/keys.yaml',
    [['paths/keys.yaml', 'schemas/keys.yaml#/KeyCheck', 'schemas/keys.yaml#/KeyChek']],
  ],
  [
    'a required field becomes optional',
    'contract/facts-agree',
    'schemas/auth.yaml',
    [['schemas/auth.yaml', 'required: [customer_id, user_id]', 'required: [customer_id]']],
  ],
  [
    'a status of the document changes',
    'contract/facts-agree',
    'paths/transfers.yaml',
    [['paths/transfers.yaml', "'201'", "'200'"]],
  ],
  [
    'a path loses its trailing slash',
    'contract/operation-list',
    'paths/transfers.yaml',
    [['openapi.yaml', '/pix/out/:', '/pix/out:']],
  ],
  [
    'an operation is missing',
    'contract/operation-list',
    'facts.yaml',
    [['openapi.yaml', /^ {2}\/mobile-bff\/v1\/pix\/out\/:.*\n/m, '']],
  ],
  [
    'a mark names an unknown question',
    'contract/open-questions',
    'schemas/values.yaml',
    [['schemas/values.yaml', 'enum: account-kinds', 'enum: account-sorts']],
  ],
  [
    'a mark names a missing keyword',
    'contract/open-questions',
    'schemas/values.yaml',
    [['schemas/values.yaml', '{ enum: account-kinds }', '{ pattern: account-kinds }']],
  ],
  [
    'a question is not used',
    'contract/open-questions',
    'open-questions.yaml',
    [
      ['schemas/qrcodes.yaml', '      x-open-question: { pattern: static-tx-id }\n', ''],
      ['schemas/qrcodes.yaml', 'static-tx-id: >-', 'tx-id: >-'],
    ],
  ],
  [
    'no question covers a remark of the document',
    'contract/open-questions',
    'open-questions.yaml',
    [['open-questions.yaml', 'marks: [34]', 'marks: []']],
  ],
  [
    'a standard has no name',
    'contract/open-questions',
    'open-questions.yaml',
    [['open-questions.yaml', '  norm: RFC 6749, section 5.1\n', '']],
  ],
  [
    'an operation has no effect',
    'contract/operation-complete',
    'paths/keys.yaml',
    [['paths/keys.yaml', '    x-effect: idempotent\n', '']],
  ],
  [
    'a response has no example',
    'contract/operation-complete',
    'paths/users.yaml',
    [['paths/users.yaml', /^ {12}examples:\n.*partnerUsers.*\n/m, '']],
  ],
  [
    'an enum is in a request and in a response',
    'contract/enums-apart',
    'schemas/values.yaml',
    [['schemas/transfers.yaml', 'AccountTypeInput', 'AccountType']],
  ],
  [
    'an operation has no description',
    'contract/described',
    'paths/webhooks.yaml',
    [
      [
        'paths/webhooks.yaml',
        /^ {4}description: Shows one.*\n((?: {4,}.*\n)*?) {4}x-assumed:\n(?: {6}.*\n)+/m,
        '$1',
      ],
    ],
  ],
  [
    'a parameter has no description',
    'contract/described',
    'parameters.yaml',
    [['parameters.yaml', '  description: Identifies the webhook.\n', '']],
  ],
  [
    'a response header has no description',
    'contract/described',
    'responses.yaml',
    [['responses.yaml', /^ {2}description: How many seconds.*\n/m, '']],
  ],
  [
    'a property has no description',
    'contract/described',
    'schemas/codes.yaml',
    [['schemas/codes.yaml', /^ {6}description: The revision\.\n {6}x-assumed: .*\n/m, '']],
  ],
  [
    'the schema that a property refers to has no description',
    'contract/described',
    'schemas/codes.yaml',
    [['schemas/values.yaml', /^(Ispb:\n(?:.*\n)*?) {2}x-assumed: .*\n/m, '$1']],
  ],
  [
    'a value of an enum has no description',
    'contract/described',
    'schemas/auth.yaml',
    [['schemas/auth.yaml', 'enum: [Bearer]', 'enum: [Bearer, DPoP]']],
  ],
  [
    'a description names a missing enum value',
    'contract/described',
    'schemas/qrcodes.yaml',
    [['schemas/qrcodes.yaml', "        '8': 'A percentage a year", "        '9': 'A percentage a year"]],
  ],
  [
    'an enum refers to a missing entry of spec/behaviour',
    'contract/described',
    'schemas/transfers.yaml',
    [['schemas/transfers.yaml', '/resources/transfer/states', '/resources/transfers/states']],
  ],
  [
    'an assumed sentence names an unknown question',
    'contract/open-questions',
    'schemas/keys.yaml',
    [['schemas/keys.yaml', 'key-check-id: ', 'key-check: ']],
  ],
  [
    'a short path gets another effect than its operation',
    'contract/aliases-agree',
    'guide.yaml',
    [['guide.yaml', /(guideCreateTransfer\n(?:.*\n)*? {6}x-effect: )once/, '$1read']],
  ],
  [
    'a short path has no operation',
    'contract/aliases-agree',
    'guide.yaml',
    [['guide.yaml', 'x-alias-of: checkKey', 'x-alias-of: findKey']],
  ],
  [
    'a short path is the alias of another operation',
    'contract/facts-agree',
    'guide.yaml',
    [['guide.yaml', 'x-alias-of: checkKey', 'x-alias-of: checkCode']],
  ],
  [
    'a short path loses its alias',
    'contract/facts-agree',
    'guide.yaml',
    [['guide.yaml', '      x-alias-of: checkKey\n', '']],
  ],
  [
    'an operation of the document is an alias',
    'contract/facts-agree',
    'paths/keys.yaml',
    [['paths/keys.yaml', '    x-effect: idempotent', '    x-alias-of: checkCode\n    x-effect: idempotent']],
  ],
  [
    'the short creation of a webhook accepts more than the URL',
    'contract/facts-agree',
    'guide.yaml',
    [
      [
        'guide.yaml',
        '        url: { $ref: schemas/webhooks.yaml#/WebhookUrl }',
        '        url: { $ref: schemas/webhooks.yaml#/WebhookUrl }\n        type: { type: string }',
      ],
    ],
  ],
  [
    'the short creation of a webhook returns no secret',
    'contract/facts-agree',
    'guide.yaml',
    [['guide.yaml', 'secret: { type: string,', 'token: { type: string,']],
  ],
  [
    'the short list of webhooks shows their type',
    'contract/facts-agree',
    'guide.yaml',
    [['guide.yaml', '        status: { $ref', '        type: { type: string }\n        status: { $ref']],
  ],
  [
    'the short look-up of a key has another body',
    'contract/facts-agree',
    'schemas/keys.yaml',
    [
      ['guide.yaml', '#/CheckKeyRequest', '#/CheckKeyRequests'],
      [
        'schemas/keys.yaml',
        /$/,
        'CheckKeyRequests: { type: object, properties: { key: { type: string } } }\n',
      ],
    ],
  ],
  [
    'a statement refers to a missing location',
    'contract/facts-statements',
    'facts.yaml',
    [['facts.yaml', 'openapi.yaml#/servers/0', 'openapi.yaml#/servers/7']],
  ],
  [
    'an example does not match its schema',
    'no-invalid-media-type-examples',
    'examples/keys.yaml',
    [['examples/keys.yaml', "ispb: '99999029'", 'ispb: 99999029']],
  ],
  [
    'the bundler renames a component',
    'bundler',
    'paths/keys.yaml',
    [
      ['paths/codes.yaml', '#/staticCode', '#/emailKey'],
      ['examples/codes.yaml', 'staticCode:', 'emailKey:'],
    ],
  ],
]

/** The same for files of spec/behaviour. All rows fail the rule contract/behaviour. */
const behaviourBreaks: ReadonlyArray<readonly [what: string, file: string, edits: readonly Edit[]]> = [
  [
    'a behaviour entry has a field that the schema does not know',
    'behaviour/transfers.yaml',
    [['behaviour/transfers.yaml', '    owner: account\n', '    owner: account\n    color: red\n']],
  ],
  [
    'a behaviour entry names no source',
    'behaviour/keys.yaml',
    [['behaviour/keys.yaml', '    question: key-forms\n', '']],
  ],
  [
    'a behaviour entry cites a statement that does not exist',
    'behaviour/webhooks.yaml',
    [['behaviour/webhooks.yaml', 'fact: webhook-secret', 'fact: webhook-secrets']],
  ],
  [
    'a behaviour entry cites a question that does not exist',
    'behaviour/transfers.yaml',
    [['behaviour/transfers.yaml', 'question: transfer-tx-id', 'question: transfer-txid']],
  ],
  [
    'a resource names an operation that does not exist',
    'behaviour/users.yaml',
    [['behaviour/users.yaml', 'read: getUser', 'read: showUser']],
  ],
  [
    'a pointer refers to a missing field',
    'behaviour/codes.yaml',
    [['behaviour/codes.yaml', 'total: /final_amount', 'total: /total_amount']],
  ],
  [
    'a status of the contract has no state',
    'behaviour/users.yaml',
    [['behaviour/users.yaml', /^ {6}inactive:.*\n/m, '']],
  ],
  [
    'a state refers to a missing state',
    'behaviour/transfers.yaml',
    [['behaviour/transfers.yaml', 'to: settled', 'to: done']],
  ],
  [
    'an operation does not declare a refusal',
    'behaviour/qrcodes.yaml',
    [['behaviour/qrcodes.yaml', 'cancel: { refusal: qrcode_paid }', 'cancel: { refusal: tx_id_taken }']],
  ],
  [
    'an error code of the contract has no entry',
    'behaviour/auth.yaml',
    [['behaviour/codes.yaml', /^ {2}code_cancelled:\n(?: {4}.*\n)+/m, '']],
  ],
  [
    'an event of the contract has no entry',
    'behaviour/auth.yaml',
    [['behaviour/transfers.yaml', /^ {2}transfer\.rejected:\n(?: {4}.*\n)+/m, '']],
  ],
  [
    'an operation of the contract has no entry',
    'behaviour/auth.yaml',
    [
      [
        'behaviour/auth.yaml',
        "of: ['signIn#/access_token', 'impersonate#/access_token']",
        "of: ['impersonate#/access_token']",
      ],
    ],
  ],
  [
    'a filter is not a parameter of its list',
    'behaviour/qrcodes.yaml',
    [['behaviour/qrcodes.yaml', 'tax_id: { field', 'document: { field']],
  ],
]

/** Expects the lint to report these breaks of the contract, and those of the behaviour. */
export function testBreaks(rows: readonly Break[]): void {
  const found = problemsOf(copySpec())

  it.each(rows)('reports when %s', async (_what, rule, file, edits) => {
    const root = edits.some(([edited]) => edited === 'guide.yaml') ? 'guide' : 'openapi'
    const problems = await found(edits, (spec) => check(spec, root))
    expect(problems.map((problem) => `${problem.rule} ${problem.file}`)).toContain(`${rule} ${file}`)
    for (const { line } of problems) expect(line).toBeGreaterThan(0)
  })

  it.each(behaviourBreaks)('reports when %s', async (_what, file, edits) => {
    const problems = await found(edits, checkBehaviourOf)
    expect(problems.map((problem) => problem.file)).toContain(file)
    for (const { line } of problems) expect(line).toBeGreaterThan(0)
  })
}

type Check = (spec: string) => Promise<{ readonly problems: readonly NormalizedProblem[] }>

/** Lints edited copies of the contract. */
export function problemsOf(withBroken: ReturnType<typeof copySpec>) {
  return (edits: readonly Edit[], lint: Check) =>
    withBroken(edits, async (spec) => {
      const { problems } = await lint(spec)
      return problems.map((problem) => place(spec, problem))
    })
}

/** The bundle is unchanged, so it is not built and linted again. */
async function checkBehaviourOf(spec: string) {
  const { register } = readRegister()
  const { statements } = readFacts().facts
  return { problems: checkBehaviour({ spec, entries: readBehaviour(spec), contract, register, statements }) }
}

function place(spec: string, { ruleId, location: [first] }: NormalizedProblem) {
  const file = first ? relative(spec, first.source.absoluteRef) : ''
  const line = first && 'source' in first ? lineOf(first) : 0
  return { rule: ruleId, file, line }
}

function lineOf(location: LocationObject): number {
  return getLineColLocation(location).start.line
}
