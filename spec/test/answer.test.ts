import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Answer, answer, copySpec as copyOfSpec, renameInText } from '../answer/answer.ts'
import {
  type Evidence,
  type Finding,
  type QuestionEvidence,
  readEvidence,
} from '../answer/evidence.ts'
import { buildSpec, SPEC } from '../build/build.ts'
import { copySpec } from './broken.ts'

const folder = mkdtempSync(join(tmpdir(), 'evidence-'))
afterAll(() => rmSync(folder, { recursive: true }))

const run = promisify(execFile)

type Questions = Readonly<Record<string, Partial<QuestionEvidence>>>

function evidence(questions: Questions): Evidence {
  const shown = Object.entries(questions).map(([id, partial]) => [
    id,
    {
      verdict: 'contradicted',
      statements: [{ statement: '', rule: 'responses-shape', passed: 3, failed: 4 }],
      unsettled: [],
      findings: [],
      sightings: [],
      ...partial,
    },
  ])
  return {
    format: 1,
    kind: 'run',
    service: 'https://pix.example.com/',
    startedAt: '2026-11-29T03:00:00Z',
    contract: contract.info,
    failures: 0,
    questions: Object.fromEntries(shown),
  }
}

/** A finding about a keyword, or about what the message says. */
function broken(keyword: string, other: Partial<Finding> = {}): Finding {
  return { rule: 'responses-shape', operation: 'getUser', keyword, message: '', count: 4, ...other }
}

const problem = '/components/schemas/Problem/properties'
const absent = (name: string) => ({
  at: `${problem}/${name}`,
  of: 'presence',
  seen: { absent: 9 },
})
/** The fields of problem details that the service does not show. */
const ABSENT = ['type', 'title', 'status', 'detail']
const status = '/components/schemas/TransferStatus'
const kind = '/components/schemas/CodeCheck/properties/qrcode_type'

/** What a service shows of questions, one in each way. */
const SHOWN: Questions = {
  'code-kinds': {
    verdict: 'confirmed',
    sightings: [{ at: kind, of: 'value', seen: { Static: 3, Immediate: 2, DueDate: 1 } }],
  },
  'webhook-limit': { verdict: 'not-exercised', statements: [] },
  'transfer-statuses': {
    findings: [broken(`${status}/enum`)],
    sightings: [{ at: status, of: 'value', seen: { PENDING: 3, SETTLED: 2, REJECTED: 1 } }],
  },
  'timestamp-formats': {
    findings: [broken('/components/schemas/Timestamp/pattern')],
    sightings: [
      { at: '/components/schemas/Timestamp', of: 'form', seen: { 'date-time -03:00': 30 } },
    ],
  },
  identifiers: {
    findings: [broken('/components/schemas/Id/format')],
    sightings: [{ at: '/components/schemas/Id', of: 'form', seen: { 'rec_h{32}': 30 } }],
  },
  errors: {
    findings: [broken('/any', { rule: 'responses-media-type' })],
    sightings: [
      ...ABSENT.map(absent),
      { at: problem, of: 'undeclared', seen: { 'message: string': 9 } },
      {
        at: '/components/responses/NotFound/content',
        of: 'media-type',
        seen: { 'application/json': 9 },
      },
    ],
  },
  'event-kinds': {
    findings: [
      broken('', { rule: 'deliveries-shaped', message: 'A delivery of transfer.paid: unknown.' }),
    ],
    sightings: [
      { at: 'behaviour#/events/transfer.settled', of: 'name', seen: { 'transfer.paid': 2 } },
    ],
  },
  paging: {
    findings: [
      broken('', {
        rule: 'lists-ordered',
        operation: 'listWebhooks',
        message: 'listWebhooks shows an older record before a newer one; expected newest-first.',
      }),
    ],
    sightings: [
      {
        at: 'behaviour#/lists/listWebhooks/order/direction',
        of: 'value',
        seen: { 'oldest-first': 3 },
      },
    ],
  },
}

const keyType = '/components/schemas/KeyCheck/properties/dict_key_type'
const keyForms = 'behaviour#/invariants/key-kind/formOf/forms'
const accountType = '/components/schemas/AccountType'
const sentAccountType = '/components/schemas/AccountTypeInput'

/** A service with words of its own for kinds of keys, of owners and of accounts, and a unit. */
const OTHER_WORDS: Questions = {
  'key-kinds': {
    findings: [broken(`${keyType}/enum`)],
    sightings: [
      {
        at: keyType,
        of: 'value',
        seen: { CPF: 2, COMPANY: 6, CELLPHONE: 5, EMAIL: 9, RANDOM: 2 },
      },
      { at: `${keyForms}/CNPJ`, of: 'name', seen: { COMPANY: 6 } },
      { at: `${keyForms}/PHONE`, of: 'name', seen: { CELLPHONE: 5 } },
      { at: `${keyForms}/EVP`, of: 'name', seen: { RANDOM: 2 } },
    ],
  },
  'account-kinds': {
    findings: [
      broken(`${accountType}/enum`),
      broken('', {
        rule: 'requests-accepted',
        message: 'createTransfer with /beneficiary/account_type as "CACC" was refused (400).',
      }),
    ],
    sightings: [
      { at: accountType, of: 'value', seen: { TRAN: 2, CHECKING: 6 } },
      { at: sentAccountType, of: 'accepted', seen: { CHECKING: 6 } },
      { at: sentAccountType, of: 'refused', seen: { CACC: 1, SVGS: 1, SLRY: 1 } },
    ],
  },
  'token-expiration-unit': {
    findings: [
      broken('', {
        rule: 'access-tokens',
        message: 'getUser refused a token before its expiration of 3600000 seconds.',
      }),
    ],
    sightings: [
      {
        at: 'behaviour#/lifetimes/access-token/expires/unit',
        of: 'value',
        seen: { milliseconds: 3 },
      },
    ],
  },
  paging: {
    ...SHOWN.paging,
    statements: [
      { statement: 'order', rule: 'lists-ordered', passed: 3, failed: 4 },
      { statement: 'limit', rule: 'lists-paged', passed: 9, failed: 0 },
    ],
  },
}

/** What a service shows that does not decide the question. */
const UNDECIDED: Questions = {
  'code-kinds': {
    verdict: 'confirmed',
    sightings: [{ at: kind, of: 'value', seen: { Static: 3, Immediate: 2 } }],
  },
  'transfer-statuses': {
    findings: [broken(`${status}/enum`)],
    sightings: [{ at: status, of: 'value', seen: { pending: 3, liquidated: 2 } }],
  },
  'account-kinds': {
    findings: [
      broken('', {
        rule: 'refusals-invalid',
        message: 'createTransfer accepted a request whose type is invalid: expected "CACC".',
      }),
    ],
    sightings: [{ at: sentAccountType, of: 'accepted', seen: { cacc: 1, none: 1 } }],
  },
  paging: { findings: [broken('', { rule: 'lists-paged', message: 'A page has 21 records.' })] },
}

const webhookStatus = '/components/schemas/WebhookStatus'
const codeStatus = '/components/schemas/CodeCheck/properties/status'
const record = '/components/schemas/QrCodeRecord'
const secret = '/components/schemas/WebhookCredential/properties/secret'

/** A service that shows less and other things, at other places, than spec/behaviour speaks of. */
const OWN_FORM: Questions = {
  'timestamp-formats': {
    findings: [broken('/components/schemas/FullDate/format')],
    sightings: [
      { at: '/components/schemas/FullDate', of: 'form', seen: { 'date-time -03:00': 772 } },
    ],
  },
  'code-status-values': {
    findings: [broken(`${codeStatus}/enum`)],
    sightings: [{ at: codeStatus, of: 'value', seen: { OPEN: 47, empty: 53 } }],
  },
  'static-qrcode-image': {
    findings: [broken('/components/schemas/QrCodeImage/pattern')],
    sightings: [{ at: '/components/schemas/QrCodeImage', of: 'form', seen: { 'https URL': 71 } }],
  },
  'qr-record': {
    findings: [
      broken(`${record}/required`, { message: '/url: expected a value, got nothing.' }),
      broken(`${record}/required`, { message: '/kind: expected a value, got nothing.' }),
    ],
    sightings: [
      { at: `${record}/properties/url`, of: 'presence', seen: { absent: 9 } },
      {
        at: '/components/schemas/DueDateQrCode/allOf/1/properties/kind',
        of: 'presence',
        seen: { absent: 9 },
      },
      {
        at: `${record}/properties`,
        of: 'undeclared',
        seen: { 'location: string': 9, 'closed_at: null': 4, 'closed_at: string': 3 },
      },
    ],
  },
  signature: {
    findings: [broken(`${secret}/pattern`)],
    sightings: [
      {
        at: secret,
        of: 'form',
        seen: { 'whs_x{40}': 35, 'whs__x{39}': 1, 'whs_x{12}-x{4}-x{22}': 1, 'whs_x{28}_x{11}': 4 },
      },
    ],
  },
  'document-forms': {
    findings: [broken('/components/schemas/TaxId/pattern')],
    sightings: [
      {
        at: '/components/schemas/TaxId',
        of: 'form',
        seen: { '9{11}': 5, '9{14}': 4, 'x{14}': 1, '***.9{3}.9{3}-**': 2 },
      },
    ],
  },
  identifiers: {
    findings: [broken('/components/schemas/Id/format')],
    sightings: [
      {
        at: '/components/schemas/Id',
        of: 'form',
        seen: { 'A{3}-9{4}': 8, 'x{17}': 2, 'A{3}-x{12}': 20, 'A{3}-a{12}': 1 },
      },
    ],
  },
  'webhook-statuses': {
    findings: [broken(`${webhookStatus}/enum`)],
    sightings: [{ at: webhookStatus, of: 'value', seen: { active: 148, deleted: 4 } }],
  },
  'webhook-types': {
    findings: [
      broken('', {
        rule: 'requests-accepted',
        message: 'createWebhook with /type as "transfer" was refused (422).',
      }),
    ],
    sightings: [
      {
        at: '/components/schemas/WebhookTypeInput',
        of: 'refused',
        seen: { transfer: 2, qrcode: 2 },
      },
    ],
  },
  errors: {
    findings: [broken('/any', { rule: 'responses-media-type' })],
    sightings: [
      absent('code'),
      {
        at: '/components/responses/BadRequest/content',
        of: 'media-type',
        seen: { 'application/json': 340 },
      },
      { at: 'behaviour#/refusals/initiation_used', of: 'status', seen: { '400': 3 } },
    ],
  },
}

const answers = new Map<string, Answer>()
const ownForm = new Map<string, Answer>()
const otherWords = new Map<string, Answer>()
const undecided = new Map<string, Answer>()
let changed: ReadonlyMap<string, string>
let changedByOwnForm: ReadonlyMap<string, string>

beforeAll(async () => {
  const decided = await answer({ spec: SPEC, evidence: evidence(SHOWN) })
  for (const each of decided.answers) answers.set(each.question, each)
  changed = decided.changed
  const words = await answer({ spec: SPEC, evidence: evidence(OTHER_WORDS) })
  for (const each of words.answers) otherWords.set(each.question, each)
  const form = await answer({ spec: SPEC, evidence: evidence(OWN_FORM) })
  for (const each of form.answers) ownForm.set(each.question, each)
  changedByOwnForm = form.changed
  const open = await answer({ spec: SPEC, evidence: evidence(UNDECIDED) })
  for (const each of open.answers) undecided.set(each.question, each)
}, 120_000)

/** What was answered, and the lines that its diff removes and adds. */
function answered(question: string, from = answers) {
  const found = from.get(question)
  if (!found) throw new Error(`no answer for ${question}`)
  const lines = found.diff.split('\n').filter((line) => !/^(---|\+\+\+)/.test(line))
  const having = (sign: string) =>
    lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1).trim())
  return { ...found, removed: having('-'), added: having('+') }
}

it('takes no evidence of another version of the contract', async () => {
  const older = { ...evidence({}), contract: { ...contract.info, version: '0.0.9' } }
  await expect(answer({ spec: SPEC, evidence: older })).rejects.toThrow(
    'the evidence is of version 0.0.9 of the contract',
  )
})

it('gives a confirmed question the basis observed, and changes nothing else', () => {
  const { isAnswered, removed, added } = answered('code-kinds')
  expect(isAnswered).toBe(true)
  expect(removed).toEqual(['basis: assumed'])
  expect(added).toEqual([
    'basis: observed',
    "observed: { service: https://pix.example.com, date: 2026-11-29, evidence: 'run, 7 cases of responses-shape' }",
  ])
})

it('leaves a question open of which a value was not seen, and says what is missing', () => {
  expect(answered('code-kinds', undecided)).toMatchObject({
    isAnswered: false,
    missing: ['a response with DueDate'],
    diff: '',
  })
})

it('leaves a question open that nothing was aimed at, with what would settle it', () => {
  expect(answered('webhook-limit')).toMatchObject({
    isAnswered: false,
    missing: ['The creation of the 101st webhook, and one more after a deletion.'],
    diff: '',
  })
})

it('takes over values in another notation, in examples, states and sentences too', () => {
  const { isAnswered, added } = answered('transfer-statuses')
  expect(isAnswered).toBe(true)
  expect(added).toEqual(
    expect.arrayContaining([
      'enum: [PENDING, SETTLED, REJECTED]',
      'status: SETTLED',
      'initial: [PENDING, SETTLED, REJECTED]',
      'PENDING:',
      'filledWhen: { field: /settled_at, is: { /status: [SETTLED] } }',
      expect.stringMatching(/^assumption: PENDING, then SETTLED or REJECTED/),
    ]),
  )
})

it('keeps a value that was not seen beside the new ones, and asks for it', () => {
  const { isAnswered, missing, added } = answered('transfer-statuses', undecided)
  expect(added).toContain('enum: [pending, settled, rejected, liquidated]')
  expect(added).not.toContain('basis: observed')
  expect({ isAnswered, missing }).toEqual({
    isAnswered: false,
    missing: [
      'a response with settled, or with what stands for it',
      'a response with rejected, or with what stands for it',
    ],
  })
})

it('takes over the word that stands where another one was expected, in rules and examples too', () => {
  const { isAnswered, added } = answered('key-kinds', otherWords)
  expect(isAnswered).toBe(true)
  expect(added).toEqual(
    expect.arrayContaining([
      'assumption: CPF, COMPANY, CELLPHONE, EMAIL and RANDOM.',
      'enum: [CPF, COMPANY, CELLPHONE, EMAIL, RANDOM]',
      'dict_key_type: COMPANY',
      "RANDOM: '^[\\da-f]{8}(-[\\da-f]{4}){3}-[\\da-f]{12}$'",
    ]),
  )
})

it('takes over the values that requests may have, and keeps those that were refused', () => {
  const { left, missing, added } = answered('account-kinds', otherWords)
  expect(left).toEqual([])
  expect(missing).toContain('a response with SVGS, or with what stands for it')
  expect(added).toEqual(
    expect.arrayContaining([
      'enum: [CACC, SVGS, SLRY, TRAN, CHECKING]',
      expect.stringMatching(/^assumption: .* requests with CACC, SVGS, SLRY are refused\.'?$/),
    ]),
  )
  const enums = added.filter((line) => line.startsWith('enum:'))
  expect(new Set(enums)).toEqual(new Set(['enum: [CACC, SVGS, SLRY, TRAN, CHECKING]']))
})

it('takes over no value that a service accepts and never shows', () => {
  const { isAnswered, left, diff } = answered('account-kinds', undecided)
  expect({ isAnswered, diff }).toEqual({ isAnswered: false, diff: '' })
  expect(left).toHaveLength(1)
})

it('takes over the unit of a lifetime, in its sentences too', () => {
  const { isAnswered, added } = answered('token-expiration-unit', otherWords)
  expect(isAnswered).toBe(true)
  expect(added).toEqual(
    expect.arrayContaining([
      'expires: { field: /expiration, unit: milliseconds }',
      'says: An access token works for the number of milliseconds in expiration.',
      expect.stringContaining('works, in milliseconds from the moment'),
    ]),
  )
})

it('keeps an assumption of which a part was confirmed, and adds what was seen instead', () => {
  const { isAnswered, added } = answered('paging', otherWords)
  expect(isAnswered).toBe(true)
  const [assumption] = added.filter((line) => line.startsWith('assumption:'))
  expect(assumption).toContain('limit is an integer from 1 to 100')
  expect(assumption).toContain(
    'Seen instead: listWebhooks: the direction of order is oldest-first.',
  )
  expect(added).toContain('paging: Returns all of them, the oldest first.')
})

it('takes over the form of a string, and writes examples in it', () => {
  const { isAnswered, added, removed } = answered('timestamp-formats')
  expect(isAnswered).toBe(true)
  expect(removed).toContain('norm: RFC 3339, section 5.6')
  expect(added).toEqual(
    expect.arrayContaining([
      "timestamp: '2026-11-02T11:30:04-03:00'",
      'assumption: Timestamp is written as date-time -03:00.',
    ]),
  )
})

it('moves the mark of a format to the pattern that takes its place', () => {
  const { added, removed } = answered('identifiers')
  expect(removed).toContain('format: uuid')
  expect(added).toEqual(
    expect.arrayContaining([
      'x-open-question: { pattern: identifiers }',
      'pattern: ^rec_[0-9a-f]{32}$',
      'examples: [rec_45cb5a75cc4d42a683c8868e352756e5]',
    ]),
  )
})

it('takes over the form of refusals', () => {
  const { isAnswered, added, removed } = answered('errors')
  expect(isAnswered).toBe(true)
  expect(removed).toContain('application/problem+json:')
  expect(added).toEqual(
    expect.arrayContaining([
      'application/json:',
      'required: [code, request_id]',
      expect.stringMatching(/^message: \{ type: string/),
    ]),
  )
})

it('renames an event wherever the contract names it, and never in the facts', () => {
  const { isAnswered, diff, added } = answered('event-kinds')
  expect(isAnswered).toBe(true)
  expect(diff).not.toContain('facts.yaml')
  expect(added).toEqual(
    expect.arrayContaining([
      'transfer.paid: { $ref: paths/webhooks.yaml#/transferSettled }',
      'transfer.paid:',
      'type: transfer.paid',
    ]),
  )
})

it('renames the states that the form of the service names, and adds only the others', async () => {
  const seen = { EM_ABERTO: 5, PAGO: 3, EXPIRADO: 1 }
  const ofCharges = {
    'qr-statuses': { sightings: [{ at: '/components/schemas/QrCodeStatus', of: 'value', seen }] },
    'transfer-statuses': {
      sightings: [{ at: status, of: 'value', seen: { EM_PROCESSAMENTO: 2, LIQUIDADO: 2 } }],
    },
  }
  const form = [
    { name: 'immediateQrCode/status/ATIVA', value: 'EM_ABERTO', question: 'qr-statuses' },
    { name: 'dueDateQrCode/status/ATIVA', value: 'EM_ABERTO', question: 'qr-statuses' },
    { name: 'immediateQrCode/status/CONCLUIDA', value: 'PAGO', question: 'qr-statuses' },
    { name: 'transfer/status/settled', value: 'LIQUIDADO', question: 'transfer-statuses' },
    // So long that a line of a sentence has to be broken.
    { name: 'transfer/status/pending', value: 'EM_PROCESSAMENTO', question: 'transfer-statuses' },
  ]
  const result = await answer({ spec: SPEC, evidence: { ...evidence(ofCharges), form } })
  const byQuestion = new Map(result.answers.map((each) => [each.question, each]))
  const charges = answered('qr-statuses', byQuestion)
  const transfers = answered('transfer-statuses', byQuestion)
  expect(charges.added).toEqual(
    expect.arrayContaining([
      'initial: [EM_ABERTO]',
      "pay: { by: 'createTransfer#/emv', after: LIQUIDADO, to: PAGO, events: [qrcode.paid] }",
      'filledWhen: { field: /payment, is: { /status: [PAGO] } }',
      "- condition: $response.body#/status == 'EM_ABERTO'",
      expect.stringMatching(/^EXPIRADO: \{ meaning: Seen on the service/),
    ]),
  )
  expect(charges.diff).not.toContain('+      EM_ABERTO: {')
  expect(transfers.added).toContain('enum: [EM_PROCESSAMENTO, LIQUIDADO, rejected]')
  expect(await problemsOf(result.changed, copySpec())).toEqual([])
  expect(renameInText('`ATIVA`, {{event:qrcode.paid}}', result.renamed)).toBe(
    '`EM_ABERTO`, {{event:qrcode.paid}}',
  )
}, 60_000)

it('moves an error code to another status at short paths too, and asks about one of all operations', async () => {
  const { answers: moved, changed: changedByMove } = await answer({
    spec: SPEC,
    evidence: evidence({
      errors: {
        findings: [
          broken('', { rule: 'refusals-causes', message: 'invalid_key came with 400, not 422.' }),
          broken('', { rule: 'access', message: 'invalid_token came with 403, not 401.' }),
        ],
        sightings: [
          { at: 'behaviour#/refusals/invalid_key', of: 'status', seen: { '400': 3 } },
          { at: 'behaviour#/refusals/invalid_token', of: 'status', seen: { '403': 3 } },
        ],
      },
    }),
  })
  const errors = answered('errors', new Map(moved.map((each) => [each.question, each])))
  expect(errors.isAnswered).toBe(false)
  expect(errors.left).toEqual([])
  expect(errors.missing).toEqual([
    expect.stringMatching(
      /^a decision: each operation must have a response 401 \(spec\/behaviour\/\w+\.yaml:\d+\)$/,
    ),
  ])
  expect(errors.removed).toEqual(
    expect.arrayContaining([
      "'422': { $ref: ../responses.yaml#/KeyRefused }",
      "'422': { $ref: responses.yaml#/KeyRefused }",
    ]),
  )
  expect(await problemsOf(changedByMove, copySpec())).toEqual([])
}, 60_000)

it('moves all codes of a response, and none where an operation has no response for it', async () => {
  const codes = ['invalid_code', 'code_expired', 'code_cancelled']
  const toStatus = (status: string) =>
    evidence({
      errors: {
        sightings: codes.map((code) => ({
          at: `behaviour#/refusals/${code}`,
          of: 'status',
          seen: { [status]: 3 },
        })),
      },
    })
  const to400 = await answer({ spec: SPEC, evidence: toStatus('400') })
  expect(await problemsOf(to400.changed, copySpec())).toEqual([])

  const to404 = await answer({ spec: SPEC, evidence: toStatus('404') })
  const [errors] = to404.answers
  expect(errors?.missing).toContainEqual(
    expect.stringMatching(
      /^a decision: checkCode has no response 404 that could have invalid_code/,
    ),
  )
  expect(await problemsOf(to404.changed, copySpec())).toEqual([])
}, 60_000)

it('declares no error code of which it knows no response, and asks for its example', async () => {
  const codes = '/components/schemas/ProblemCode'
  const { answers: withCodes, changed: changedByCodes } = await answer({
    spec: SPEC,
    evidence: evidence({
      errors: {
        findings: [
          broken(`${codes}/enum`, {
            message: '/code: expected a value of the enum, got account_closed.',
          }),
        ],
        sightings: [{ at: codes, of: 'value', seen: { not_found: 3, account_closed: 2 } }],
      },
    }),
  })
  const errors = answered('errors', new Map(withCodes.map((each) => [each.question, each])))
  expect(errors.isAnswered).toBe(false)
  expect(errors.missing).toContain(
    'an example of a response with the code account_closed, and its entry in "refusals" of spec/behaviour',
  )
  expect(errors.left).toHaveLength(1)
  expect(await problemsOf(changedByCodes, copySpec())).toEqual([])
}, 60_000)

it('renames the words of a check in what other operations copy from it', async () => {
  const ofKinds = evidence({
    'code-kinds': {
      findings: [broken(`${kind}/enum`)],
      sightings: [
        {
          at: kind,
          of: 'value',
          seen: { QR_ESTATICO: 3, QR_COBRANCA: 2, QR_VENCIMENTO: 1 },
        },
        {
          at: 'behaviour#/copies/check-shows-static-kind/Static',
          of: 'name',
          seen: { QR_ESTATICO: 3 },
        },
        {
          at: 'behaviour#/copies/check-shows-kind/Immediate',
          of: 'name',
          seen: { QR_COBRANCA: 2 },
        },
        {
          at: 'behaviour#/copies/check-shows-kind/DueDate',
          of: 'name',
          seen: { QR_VENCIMENTO: 1 },
        },
      ],
    },
  })
  const result = await answer({ spec: SPEC, evidence: ofKinds })
  const [kinds] = result.answers
  expect(kinds?.isAnswered).toBe(true)
  expect(kinds?.diff).toContain('always: { /qrcode_type: QR_ESTATICO }')
  expect(kinds?.diff).toContain(
    'values: { QR_ESTATICO: QRES, QR_COBRANCA: QRDN, QR_VENCIMENTO: QRDN }',
  )
  expect(await problemsOf(result.changed, copySpec())).toEqual([])
}, 60_000)

it('takes the word for an event from the form, if a delivery had it', async () => {
  const ofEvents = {
    ...evidence({
      'event-kinds': {
        sightings: [{ at: '/webhooks', of: 'value', seen: { 'charge.withdrawn': 36 } }],
      },
    }),
    form: [
      { name: 'event/qrcode.cancelled', value: 'charge.withdrawn', question: 'event-kinds' },
      { name: 'event/qrcode.paid', value: 'charge.received', question: 'event-kinds' },
    ],
  }
  const { answers: events, renamed } = await answer({ spec: SPEC, evidence: ofEvents })
  expect(events[0]?.says).toEqual([
    'The event qrcode.cancelled is named charge.withdrawn (36 times).',
  ])
  expect(renamed).toEqual({ 'qrcode.cancelled': 'charge.withdrawn' })
}, 30_000)

it.each([
  { what: 'the form of a name that is no word', name: 'a{9} a{9}' },
  { what: 'a name that begins a comment', name: 'pix.out #done' },
  { what: 'a name that ends as a key of YAML', name: 'pix.out:' },
  { what: 'a name of several lines', name: 'pix.out\n  evil: yes' },
  { what: 'a word that YAML reads as another value', name: 'null' },
])('renames no event to $what, and leaves its finding', async ({ name }) => {
  const ofEvent = evidence({
    'event-kinds': {
      findings: [broken('', { rule: 'deliveries-shaped', message: 'A delivery: unknown.' })],
      sightings: [
        { at: 'behaviour#/events/transfer.settled', of: 'name', seen: { [name]: 2 } },
        { at: '/components/parameters/DeliverySignature', of: 'name', seen: { [name]: 2 } },
      ],
    },
  })
  const { answers, changed } = await answer({ spec: SPEC, evidence: ofEvent })
  expect(answers).toMatchObject([{ isAnswered: false, diff: '' }])
  expect(answers[0]?.left).toHaveLength(1)
  expect(changed.size).toBe(0)
})

it('renames no event that the contract does not have', async () => {
  const ofEvent = evidence({
    'event-kinds': {
      sightings: [{ at: String.raw`behaviour#/events/(\w+\s?)+$x`, of: 'name', seen: { x: 2 } }],
    },
  })
  const { answers, changed } = await answer({ spec: SPEC, evidence: ofEvent })
  expect(answers[0]?.isAnswered).toBe(false)
  expect(changed.size).toBe(0)
})

it('makes each field optional that was absent, and removes none of which a component is left over', async () => {
  const received = '/components/schemas/ReceivedTransfer'
  const absentIn = (at: string, seen: Readonly<Record<string, number>>) => ({
    at,
    of: 'presence',
    seen,
  })
  const ofAbsent = evidence({
    'qr-record': {
      findings: [
        broken(`${record}/required`, { message: '/tx_id: expected a value, got nothing.' }),
      ],
      sightings: [
        absentIn(`${record}/properties/tx_id`, { present: 90, absent: 9 }),
        absentIn(`${record}/properties/dict_key`, { present: 90, absent: 9 }),
        absentIn(`${record}/properties/message`, { present: 99 }),
      ],
    },
    'event-kinds': {
      findings: [
        broken(`${received}/required`, {
          message: '/data/payment: expected a value, got nothing.',
        }),
      ],
      sightings: [absentIn(`${received}/properties/qrcode`, { absent: 12 })],
    },
  })
  const result = await answer({ spec: SPEC, evidence: ofAbsent })
  expect(result.answers.flatMap(({ says }) => says)).toEqual([
    'tx_id may be left out.',
    'dict_key may be left out.',
    'qrcode is never there.',
  ])
  expect(await problemsOf(result.changed, copySpec())).toEqual([])
}, 60_000)

it('keeps each fact of a schema that events share with a response, and asks for a schema of their own', async () => {
  const transfer = '/components/schemas/TransferData'
  const presence = (name: string, seen: Readonly<Record<string, number>>) => ({
    at: `${transfer}/properties/${name}`,
    of: 'presence',
    seen,
  })
  const ofEvents = evidence({
    'event-kinds': {
      findings: [
        broken(`${transfer}/required`, {
          message: '/data/description: expected a value, got nothing.',
        }),
        broken(`${transfer}/properties/tx_id/type`),
        broken('/components/schemas/Amount/type'),
        broken('/components/schemas/Amount/pattern'),
      ],
      sightings: [
        presence('description', { absent: 11 }),
        presence('payer', { absent: 3, present: 8 }),
        presence('tx_id', { null: 11 }),
        { at: `${transfer}/properties/amount`, of: 'type', seen: { integer: 11 } },
        { at: '/components/schemas/Amount', of: 'form', seen: { '9{2},9{2}': 11 } },
      ],
    },
  })
  const { answers, changed } = await answer({ spec: SPEC, evidence: ofEvents })
  expect(answers).toMatchObject([{ isAnswered: false, left: [], diff: '' }])
  expect(changed.size).toBe(0)
  const [{ missing } = { missing: [] }] = answers
  expect(missing).toHaveLength(5)
  expect(missing).toEqual(
    expect.arrayContaining([
      expect.stringMatching(
        /^a schema of its own for where description is never there, since facts\.yaml states otherwise \(spec\/schemas\/transfers\.yaml:\d+\)$/,
      ),
      expect.stringContaining('payer may be left out'),
      expect.stringContaining('tx_id may be null'),
      expect.stringContaining('amount is of the type integer'),
      expect.stringContaining('Amount is written as'),
    ]),
  )
}, 30_000)

it('changes the fields of each error in a refusal, and its examples with them', async () => {
  const problemError = '/components/schemas/ProblemError/properties'
  const never = (name: string) => ({
    at: `${problemError}/${name}`,
    of: 'presence',
    seen: { absent: 9 },
  })
  const ofErrors = evidence({
    errors: {
      findings: [broken('/any', { rule: 'responses-media-type' })],
      sightings: [
        never('pointer'),
        never('detail'),
        { at: problemError, of: 'undeclared', seen: { 'text: string': 9, 'at: string': 5 } },
      ],
    },
  })
  const result = await answer({ spec: SPEC, evidence: ofErrors })
  const errors = answered('errors', new Map(result.answers.map((each) => [each.question, each])))
  expect(errors.removed).toContain('- pointer: /amount')
  expect(errors.added).toEqual(
    expect.arrayContaining([
      '- code: pattern',
      expect.stringMatching(/^text: \{ type: string/),
      expect.stringMatching(/^at: \{ type: string/),
    ]),
  )
  expect(await problemsOf(result.changed, copySpec())).toEqual([])
}, 60_000)

it('names a renamed event in guides, and its page', () => {
  const text = '{{event:transfer.settled}}, a settled transfer, events/transfer-settled:'
  expect(renameInText(text, { 'transfer.settled': 'PIX_PAGO', settled: 'LIQUIDADO' })).toBe(
    '{{event:PIX_PAGO}}, a settled transfer, events/PIX_PAGO:',
  )
})

it('changes what spec/behaviour declares, if one observation decides it', () => {
  const { isAnswered, added } = answered('paging')
  expect(isAnswered).toBe(true)
  expect(added.join()).toContain('direction: oldest-first')
})

it('says that the contract has no word for pages that a header links', async () => {
  const form = [{ name: 'list/next', value: 'link', question: 'paging' }]
  const message = 'listImmediateQrCodes shows no next_cursor; expected a string, or null.'
  const findings = [broken('', { rule: 'lists-paged', message })]
  const linked = { ...evidence({ paging: { findings } }), form }
  const { answers } = await answer({ spec: SPEC, evidence: linked })
  expect(answers).toMatchObject([
    {
      question: 'paging',
      isAnswered: false,
      says: ['A header Link leads to the next page.'],
      missing: [expect.stringContaining('a word of the contract for pages that a header Link')],
      left: [],
      diff: '',
    },
  ])
})

it('names the entries and sentences to edit where no change follows', () => {
  const { places, ...others } = answered('paging', undecided)
  expect(others).toMatchObject({
    isAnswered: false,
    left: [{ message: 'A page has 21 records.' }],
    diff: '',
  })
  expect(places).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^spec\/open-questions\.yaml:\d+$/),
      expect.stringMatching(/^spec\/behaviour\/qrcodes\.yaml:\d+$/),
      expect.stringMatching(/^spec\/parameters\.yaml:\d+$/),
    ]),
  )
})

/** Two copies, since what one answer changes stays in its copy. */
const withEdits = copySpec()
const withOwnForm = copySpec()

function problemsOf(files: ReadonlyMap<string, string>, copy: typeof withEdits) {
  return copy([], async (spec) => {
    for (const [name, text] of files) writeFileSync(join(spec, name), text)
    const { problems } = await buildSpec({ spec, out: join(folder, 'dist') })
    return problems
  })
}

it('leaves a contract without problems', async () => {
  expect(await problemsOf(changed, withEdits)).toEqual([])
})

it('leaves a contract without problems of a service in its own form', async () => {
  expect(await problemsOf(changedByOwnForm, withOwnForm)).toEqual([])
})

it('keeps what requests may have beside the form that responses show', () => {
  expect(answered('timestamp-formats', ownForm).added).toContain(
    'pattern: ^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?[+-][0-9]{2}:[0-9]{2})?$',
  )
})

it('writes examples in the form of an image, and forgets that it was base64', () => {
  const { added, removed } = answered('static-qrcode-image', ownForm)
  expect(added).toContain('qrcode_image: https://pix.example.com/example')
  expect(removed).toEqual(expect.arrayContaining(['contentEncoding: base64', 'image-of-code:']))
})

it('takes random texts for one form, and writes their examples without the old prefix', () => {
  const { says, added } = answered('signature', ownForm)
  expect(says).toEqual(['secret is written as whs_ and 40 characters of base64url (41 times).'])
  expect(added).toContain('pattern: ^whs_[A-Za-z0-9_-]{40}$')
  expect(added.join()).toMatch(/examples: \[whs_tLU7[\w-]{36}\]/)
})

it('joins forms that differ in the kind of a letter, and keeps examples of any form', () => {
  expect(answered('document-forms', ownForm).added).not.toContainEqual(
    expect.stringMatching(/^examples:/),
  )
  const { added } = answered('identifiers', ownForm)
  expect(added).toContain('pattern: ^([A-Z]{3}-[0-9]{4}|[A-Za-z0-9]{17}|[A-Z]{3}-[A-Za-z0-9]{12})$')
  const ids = added.filter((line) => line.startsWith('id: '))
  expect(ids.filter((line) => !/^id: [A-Z]{3}-[A-Za-z0-9]{12}$/.test(line))).toEqual([])
  expect(new Set(ids).size).toBeGreaterThan(8)
})

it('declares a new field without giving it the value of another one', () => {
  const { added } = answered('qr-record', ownForm)
  expect(added.filter((line) => /^(location|closed_at):/.test(line))).toEqual([
    'location: { type: string, description: Seen on the service. What it means is not known. }',
    "closed_at: { type: [string, 'null'], description: Seen on the service. What it means is not known. }",
  ])
})

it('takes an empty string for the empty value of an enum, and no hidden state for a new one', () => {
  const { added } = answered('code-status-values', ownForm)
  expect(added.filter((line) => line.startsWith('enum:'))).toEqual([
    "enum: ['', ATIVA, CONCLUIDA, REMOVIDA_PELO_USUARIO_RECEBEDOR, REMOVIDA_PELO_PSP, OPEN]",
  ])
  expect(answered('webhook-statuses', ownForm).left).toHaveLength(1)
})

it('keeps the words of an enum of requests that were refused, and asks for others', () => {
  const { isAnswered, missing, left, diff } = answered('webhook-types', ownForm)
  expect({ isAnswered, left }).toEqual({ isAnswered: false, left: [] })
  expect(missing).toEqual([
    expect.stringMatching(
      /^a word that requests may have instead of transfer \(spec\/schemas\/webhooks\.yaml:\d+\)$/,
    ),
    expect.stringContaining('instead of qrcode'),
  ])
  expect(diff).toContain('Seen on a service: requests with transfer, qrcode are refused.')
  expect(diff).not.toContain('enum:')
  expect(diff).not.toContain('subscribers:')
})

it('makes a field optional that spec/behaviour speaks of, and keeps a constant', () => {
  const { says, left, removed } = answered('qr-record', ownForm)
  expect(says).toContain('url is never there.')
  expect(removed.some((line) => line.startsWith('url:'))).toBe(false)
  expect(left.map(({ message }) => message)).toEqual(['/kind: expected a value, got nothing.'])
})

it('prints the changes of a question, makes them with --apply, and says what comes next', async () => {
  const file = join(folder, 'evidence.json')
  writeFileSync(file, JSON.stringify(evidence(SHOWN)))
  const spec = copyOfSpec(SPEC)
  try {
    const args = [join(SPEC, '../scripts/answer.ts'), file, '--only', 'paging', '--spec', spec]
    const shown = await run(process.execPath, args)
    expect(shown.stdout).toContain('paging: contradicted, observed\n')
    expect(shown.stderr).toMatch(/^1 of 1 questions are answered by a run\. \d files would change/)
    expect(readFileSync(join(spec, 'behaviour/webhooks.yaml'), 'utf8')).not.toContain(
      'oldest-first',
    )

    const applied = await run(process.execPath, [...args, '--apply'])
    expect(applied.stderr).toContain('Run `npx -y pnpm@12 build` and `npx -y pnpm@12 test`')
    expect(readFileSync(join(spec, 'behaviour/webhooks.yaml'), 'utf8')).toContain('oldest-first')
  } finally {
    rmSync(spec, { recursive: true })
  }
})

it.each([
  { changes: { own: 'sandbox' }, message: 'is of our own sandbox (https://pix.example.com/)' },
  {
    changes: { incomplete: 'it was interrupted: Ctrl-C' },
    message: 'it was interrupted: Ctrl-C; run it again',
  },
  {
    changes: { format: 2 },
    message: 'is not evidence; expected what `check --report evidence=FILE` writes',
  },
])('refuses evidence with $changes', ({ changes, message }) => {
  const file = join(folder, 'refused.json')
  writeFileSync(file, JSON.stringify({ ...evidence({}), ...changes }))
  expect(() => readEvidence([file])).toThrow(message)
})

it('says why evidence cannot be read', () => {
  const missing = join(folder, 'missing.json')
  const text = join(folder, 'text.json')
  writeFileSync(text, 'plain')
  const empty = join(folder, 'empty.json')
  writeFileSync(empty, '')
  expect(() => readEvidence([missing])).toThrow('missing.json cannot be read: it does not exist')
  expect(() => readEvidence([folder])).toThrow('cannot be read: it is a folder')
  // As a device has, which may never end.
  expect(() => readEvidence([empty])).toThrow('cannot be read: it has no content')
  expect(() => readEvidence([text])).toThrow('cannot be read: it is not JSON')
})

it('joins what two runs have confirmed in part', () => {
  const files = ['silent', 'slow', 'fast'].map((name) => join(folder, `${name}.json`))
  const [silent = '', slow = '', fast = ''] = files
  const inPart = (unsettled: string[]) =>
    JSON.stringify(evidence({ bounds: { verdict: 'partly-confirmed', unsettled } }))
  writeFileSync(silent, JSON.stringify(evidence({ bounds: { verdict: 'not-exercised' } })))
  writeFileSync(slow, inPart(['fast', 'other']))
  writeFileSync(fast, inPart(['slow']))
  const joined = (...names: string[]) => readEvidence(names).questions.bounds
  expect(joined(silent, slow)).toMatchObject({
    verdict: 'partly-confirmed',
    unsettled: ['fast', 'other'],
  })
  expect(joined(slow, fast)).toMatchObject({ verdict: 'confirmed', unsettled: [] })
})

it('takes no question for answered of which only a part was confirmed', async () => {
  const questions: Questions = {
    delivery: { verdict: 'partly-confirmed', unsettled: ['the time-out'] },
  }
  const { answers, changed } = await answer({ spec: SPEC, evidence: evidence(questions) })
  expect(answers).toMatchObject([
    { isAnswered: false, missing: ['a case of the statement "the time-out"'] },
  ])
  expect([...changed]).toEqual([])
})

it('refuses evidence of several services, and joins that of one', () => {
  const files = ['one', 'two', 'other'].map((name) => join(folder, `${name}.json`))
  const [one = '', two = '', other = ''] = files
  writeFileSync(one, JSON.stringify(evidence({ bounds: { verdict: 'not-exercised' } })))
  writeFileSync(two, JSON.stringify(evidence({ bounds: { verdict: 'confirmed' } })))
  writeFileSync(other, JSON.stringify({ ...evidence({}), service: 'https://other.example.com/' }))
  expect(readEvidence([one, two]).questions.bounds?.verdict).toBe('confirmed')
  expect(() => readEvidence([one, other])).toThrow('answer from one service at a time')
})

it('joins no evidence of two versions of the contract', () => {
  const current = join(folder, 'current.json')
  const older = join(folder, 'older.json')
  const ofOlder = { ...evidence({}), contract: { ...contract.info, version: '0.0.9' } }
  writeFileSync(current, JSON.stringify(evidence({})))
  writeFileSync(older, JSON.stringify(ofOlder))
  expect(() => readEvidence([current, older])).toThrow(
    `older.json is of version 0.0.9 of the contract, and ${current} of ${contract.info.version}`,
  )
})

it('says in which line a contract leads to itself, which nobody can follow', async () => {
  const cycle = "\nCycle:\n  allOf: [{ $ref: '#/Cycle' }]\n"
  const edits = [{ file: 'schemas/keys.yaml', pattern: '$(?![\\s\\S])', to: cycle }]
  await withEdits(edits, async (spec) => {
    await expect(answer({ spec, evidence: evidence({}) })).rejects.toThrow(
      /^The contract cannot be read: schemas\/keys\.yaml:\d+:13 Cycle refers to itself/,
    )
  })
})
