import { fieldsOf, stringAt, withValue } from '../contract/json.ts'
import type { Input, Outcome, Sender } from '../send/sender.ts'
import { invalidCodes, sameCodes, withoutAmount } from './charges.ts'
import {
  created,
  DUE_IN_DAYS,
  type Plan,
  type PlanContext,
  sendValid,
  type ValidOptions,
  validBody,
  validRequest,
} from './plan.ts'

/**
 * Sends requests that the declared rules forbid, as edits of one that was just accepted, and
 * requests at the edge of these rules.
 */
export const causes: Plan = {
  id: 'causes',
  wants: ['refusals-causes', 'refusals-coded', 'refusals-true', 'once-refused'],
  async run(context) {
    const parts = {
      checkKey,
      createCharges,
      checkCode,
      payKey,
      payStatic,
      payCharges,
      registerUrls,
    }
    for (const tryPart of Object.values(parts)) await tryPart(context)
  },
}

/** A field of a request and its other value, or who sends it instead. */
type Edit = readonly [pointer: string, value: unknown, by?: Sender]

async function checkKey(context: PlanContext): Promise<void> {
  await tryEdits(context, 'checkKey', {}, () =>
    [...INVALID_KEYS, ...NOBODYS_KEYS].map((key) => ['/dict_key', key]),
  )
}

const INVALID_KEYS = [
  'not a key',
  '1234567890',
  '556191234567',
  '+55 61 91234-5678',
  '123E4567-E12B-12D1-A456-426655440000',
  'Fulano@Example.com',
  '+',
  '12345678901234567890',
]
/** Reserved names and numbers, wrong check digits, and a CNPJ with letters. */
const NOBODYS_KEYS = [
  'nobody@pix.invalid',
  '11144477736',
  '11222333000182',
  'QX73BW92000102',
  '+12025550123',
]

async function createCharges(context: PlanContext): Promise<void> {
  const { send, clock } = context
  const foreign = stringAt(validBody(context, 'checkKey'), '/dict_key')
  await send('checkKey', { body: { dict_key: foreign } })
  const less = (name: string, it: object): Edit => ['/amount', { original: '10.00', [name]: it }]
  const until = (amount: string, date: string, more: object = { modality: '1' }) =>
    less('discount', { ...more, fixedDateDiscount: [{ amount, date }] })
  // The key and the message of a static code have at most 73 characters together.
  const longest = 73 - [...String(validBody(context, 'createStaticQrCode').dict_key)].length
  const free: Edit[] = [
    ['/amount', {}],
    ['/amount', { original: '0.00' }],
  ]
  const refused: Readonly<Record<string, readonly Edit[]>> = {
    createDueDateQrCode: [
      ...free,
      ['/calendar', {}],
      ['/calendar', { due_date: '2020-01-02' }],
      ['/calendar', { due_date: clock.day(-1) }],
      less('deduction', { amount: '10.00', modality: '1' }),
      // All of the amount as a percentage, which is less than the amount.
      ['/amount', { original: '200.00', deduction: { amount: '100.00', modality: '2' } }],
      ...['5', '6'].map(
        (modality): Edit => [
          '/amount',
          { original: '200.00', discount: { amount: '100.00', modality } },
        ],
      ),
      less('discount', { amount: '1.00', modality: '1' }),
      until('1.00', clock.day(9), { modality: '3', amount: '1.00' }),
      until('1.00', clock.day(DUE_IN_DAYS + 1)),
      until('10.00', clock.day(9)),
    ],
    createImmediateQrCode: free,
    createStaticQrCode: [
      ['/amount', '0.00'],
      ['/message', 'a'.repeat(longest + 1)],
    ],
  }
  const edges: Readonly<Record<string, readonly Edit[]>> = {
    createDueDateQrCode: [
      less('deduction', { amount: '99.99', modality: '2' }),
      until('1.00', clock.day(DUE_IN_DAYS)),
      ['', { calendar: { due_date: clock.day() }, amount: { original: '10.00' } }],
    ],
    createStaticQrCode: [['/message', 'a'.repeat(longest)]],
  }
  for (const [operation, edits] of Object.entries(refused)) {
    // The check shows whose account the key is.
    const { emv } = await created(context, operation)
    if (emv !== undefined) await send('checkCode', { body: { emv } })
    const all: Edit[] = [...edits, ['/dict_key', foreign], ['', undefined, 'customer']]
    await tryEdits(context, operation, {}, () => all, edges[operation])
  }
}

async function checkCode(context: PlanContext): Promise<void> {
  const tried = await tryEdits(context, 'checkCode', { example: 0 }, invalidEdits)
  for (const emv of tried ? sameCodes(emvIn(tried.valid)) : [])
    if (tried) await sendEdit(context, 'checkCode', tried, ['/emv', emv])
}

function invalidEdits(input: Input): Edit[] {
  return invalidCodes(emvIn(input)).map((emv) => ['/emv', emv])
}

function emvIn({ body }: Input): string {
  return stringAt(body, '/emv') ?? ''
}

/** The edits of the beneficiary of a transfer. */
const BENEFICIARIES: readonly Edit[] = [
  ['/beneficiary', { tax_id: '52998224725' }],
  ['/beneficiary', { account_number: '98765432109876543210' }],
  ['/beneficiary', { ispb: '00000000' }],
  ['/beneficiary', { branch: '9876' }],
  ['/beneficiary', { name: 'Someone Else' }],
]

async function payKey(context: PlanContext): Promise<void> {
  const { clock, fresh, send } = context
  const other = stringAt(validBody(context, 'checkKey', 1), '/dict_key')
  const days: Edit[] = [1, 3, -1].map((it) => ['/payment_date', clock.day(it)])
  const edits = ({ body }: Input): Edit[] => [
    ['/initiation_id', renewed(stringAt(body, '/initiation_id') ?? '', fresh(400))],
    ['/initiation_id', 'ini_neverissued00000000'],
    ['/initiation_id', '00000000-0000-4000-8000-000000000000'],
    ['/dict_key', other],
    ['/amount', '9999999999.99'],
    ['/amount', '0.00'],
    ...BENEFICIARIES,
    ...days,
  ]
  const options = { example: 3 }
  const tried = await tryEdits(context, 'createTransfer', options, edits, [
    ['', undefined, 'other'],
    ['', undefined, 'customer'],
    ['/payment_date', clock.day()],
  ])
  const ofCustomer = await validRequest(context, 'createTransfer', { ...options, by: 'customer' })
  if (tried && ofCustomer)
    await sendEdit(context, 'createTransfer', { ...tried, valid: ofCustomer }, [
      '',
      undefined,
      'partner',
    ])
  const taxId = stringAt(tried?.base.json, '/data/beneficiary/tax_id')
  if (!tried || taxId === undefined) return
  // The tax ID of a beneficiary is often another key of it.
  const { isAccepted } = await send('checkKey', { body: { dict_key: taxId } })
  const valid = isAccepted ? await validRequest(context, 'createTransfer', options) : undefined
  if (valid) await sendEdit(context, 'createTransfer', { ...tried, valid }, ['/dict_key', taxId])
}

/** The same form with other letters and digits. */
function renewed(value: string, letters: string): string {
  return [...value]
    .map((it, i) => (i > 3 && /[A-Za-z0-9]/.test(it) ? (letters[i] ?? it) : it))
    .join('')
}

async function payStatic(context: PlanContext): Promise<void> {
  await tryEdits(context, 'createTransfer', { example: 0, by: 'customer' }, (input) => [
    ['/amount', '99.99'],
    ['/amount', '0.01'],
    ['', { emv: withoutAmount(emvIn(input)), amount: '0.00' }],
  ])
}

async function payCharges(context: PlanContext): Promise<void> {
  const { clock } = context
  for (const [i, create] of ['createImmediateQrCode', 'createDueDateQrCode'].entries()) {
    const original = stringAt(validBody(context, create), '/amount/original')
    const edits = (input: Input): Edit[] => [
      ['/amount', '99.99'],
      ['/amount', '0.01'],
      ...(i === 0 ? [...invalidEdits(input), ...BENEFICIARIES] : [['/amount', original] as const]),
      ['/payment_date', clock.day(3)],
    ]
    const tried = await tryEdits(
      context,
      'createTransfer',
      { example: i + 1, by: 'customer' },
      edits,
    )
    if (tried) await useEnded(context, create, tried)
  }
}

/** Checks and pays a code that was just paid, and one that was cancelled. */
async function useEnded(
  context: PlanContext,
  create: string,
  { valid, base }: Tried,
): Promise<void> {
  const { send } = context
  const by = 'customer'
  const pay = (emv: string) =>
    sendEdit(context, 'createTransfer', { base, valid }, ['/emv', emv, by])
  await pay(emvIn(valid))
  const { id = '', emv = '' } = await created(context, create)
  const { sentAt: variantOf } = await send('checkCode', { body: { emv }, by })
  await send(create.replace('create', 'cancel'), { path: { id } })
  for (const it of [emvIn(valid), emv])
    await send('checkCode', { body: { emv: it }, by, intent: { variantOf } })
  await pay(emv)
}

/** Addresses that no service on the internet has. */
const URLS = [
  'http://loja.example/pix',
  'https://10.0.0.1/pix',
  'https://172.31.255.254/pix',
  'https://192.168.1.10/pix',
  'https://169.254.169.254/latest/meta-data',
  'https://[fd00::1]/pix',
  'https://0x0a000001/pix',
  'https://2130706433.internal/pix',
]

async function registerUrls(context: PlanContext): Promise<void> {
  const edits = URLS.map((url): Edit => ['/url', url])
  await tryEdits(context, 'createWebhook', {}, () => edits)
  // The rule is that of createWebhook, so half of the addresses are enough. It also holds while the
  // webhook is inactive.
  await tryEdits(context, 'updateWebhook', {}, ({ body }) => [
    ...edits.filter((_, i) => i % 2 === 0),
    ...URLS.slice(0, 2).map((url): Edit => ['', { url, status: other(stringAt(body, '/status')) }]),
  ])
}

function other(status: string | undefined): string {
  return status === 'active' ? 'inactive' : 'active'
}

/** A request that was accepted, and another valid one. */
interface Tried {
  readonly base: Outcome
  readonly valid: Input
}

/**
 * Sends a valid request, edits of another one that are refused, and that one: a refused request
 * uses no value up. Then edits that a service may accept, each of a new request.
 */
async function tryEdits(
  context: PlanContext,
  operation: string,
  options: ValidOptions,
  edits: (valid: Input) => readonly Edit[],
  alone: readonly Edit[] = [],
): Promise<Tried | undefined> {
  if (!context.isChosen(operation)) return undefined
  const base = await sendValid(context, operation, options)
  let valid = base?.isAccepted ? await validRequest(context, operation, options) : undefined
  if (!base || !valid) return undefined
  for (const i of edits(valid).keys()) {
    const edit = edits(valid)[i]
    const isAccepted =
      edit && (await sendEdit(context, operation, { base, valid }, edit)).isAccepted
    // An edit that was accepted has used the values up, of which the refusal of the next one would
    // speak.
    if (isAccepted) valid = (await validRequest(context, operation, options)) ?? valid
  }
  await context.send(operation, valid)
  for (const edit of alone) {
    const next = await validRequest(context, operation, options)
    if (next) await sendEdit(context, operation, { base, valid: next }, edit)
  }
  return { base, valid }
}

async function sendEdit(
  { send }: PlanContext,
  operation: string,
  { valid, base }: Tried,
  [edit, value, by = valid.by]: Edit,
): Promise<Outcome> {
  const body =
    edit === ''
      ? { ...fieldsOf(valid.body), ...fieldsOf(value) }
      : withValue(valid.body, edit, value)
  return send(operation, { ...valid, body, by, intent: { variantOf: base.sentAt, edit } })
}
