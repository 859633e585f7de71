import { fieldsOf, stringAt, withValue } from '../contract/json.ts'
import type { Input, Outcome, Sender } from '../send/sender.ts'
import { DUE_IN_DAYS, validBody } from './bodies.ts'
import { invalidCodes, sameCodes, withKey, withoutAmount } from './charges.ts'
import type { Plan, PlanContext } from './plan.ts'
import { keysToTry, sendValid } from './send-valid.ts'
import { createRecord, type ValidOptions, validRequest } from './valid-requests.ts'

/**
 * Sends requests that the declared rules forbid, as edits of one that was just accepted, and
 * requests at the edge of these rules.
 */
export const causes: Plan = {
  id: 'causes',
  wants: ['refusals-causes', 'refusals-coded', 'refusals-true', 'once-refused'],
  async run(context) {
    const parts = [checkKey, createCharges, checkCode, payKey, payStatic, payCharges, registerUrls]
    await context.sideBySide(parts, (part) => part(context))
  },
}

/** A change of a valid request. */
interface Edit {
  /** The pointer of a field; empty if several fields are changed at once, or none. */
  readonly at: string
  /** The other value, or the fields that are changed. */
  readonly value?: unknown
  /** Who sends it. Default: as the valid request. */
  readonly by?: Sender
}

async function checkKey(context: PlanContext): Promise<void> {
  const keys = [...INVALID_KEYS, ...NOBODYS_KEYS]
  await tryEdits(context, 'checkKey', {}, () => valuesOf('/dict_key', keys))
  // Among them is a telephone number.
  for (const dict_key of await keysToTry(context))
    await context.send('checkKey', { body: { dict_key } })
}

/** Edits of one field. */
function valuesOf(at: string, values: readonly unknown[]): Edit[] {
  return values.map((value) => ({ at, value }))
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
  const { send } = context
  const foreign = stringAt(validBody(context, 'checkKey'), '/dict_key')
  await send('checkKey', { body: { dict_key: foreign } })
  const toForeignKey: Edit = { at: '/dict_key', value: foreign }
  await context.sideBySide(chargeEdits(context), async ({ operation, refused, edges }) => {
    // The check shows whose account the key is.
    const { emv } = await createRecord(context, operation)
    if (emv !== undefined) await send('checkCode', { body: { emv } })
    const edits = [...refused, toForeignKey, BY_CUSTOMER]
    await tryEdits(context, operation, {}, () => edits, edges)
    await checkForeignKey(context, operation, foreign)
  })
}

/** The check of a code shows who is paid, where a service takes the key of somebody else. */
async function checkForeignKey(
  context: PlanContext,
  operation: string,
  dict_key: string | undefined,
): Promise<void> {
  const body = { ...validBody(context, operation), dict_key }
  const { emv } = await createRecord(context, operation, { body })
  if (emv !== undefined) await context.send('checkCode', { body: { emv } })
}

const BY_CUSTOMER: Edit = { at: '', by: 'customer' }

interface ChargeEdits {
  readonly operation: string
  /** Edits that a rule forbids. */
  readonly refused: readonly Edit[]
  /** Edits at the edge of a rule, which it allows. */
  readonly edges: readonly Edit[]
}

function chargeEdits(context: PlanContext): ChargeEdits[] {
  const longest = longestMessage(context)
  return [
    {
      operation: 'createDueDateQrCode',
      refused: [...WITHOUT_AMOUNT, WITHOUT_PAYER, ...IN_PART, ...refusedDueDates(context)],
      edges: dueDatesAtEdge(context),
    },
    {
      operation: 'createImmediateQrCode',
      refused: [...WITHOUT_AMOUNT, ...IN_PART],
      edges: [WITHOUT_PAYER],
    },
    {
      operation: 'createStaticQrCode',
      refused: [
        { at: '/amount', value: '0.00' },
        { at: '/message', value: 'a'.repeat(longest + 1) },
      ],
      edges: [{ at: '/message', value: 'a'.repeat(longest) }],
    },
  ]
}

/** The key and the message of a static code have at most 73 characters together. */
function longestMessage(context: PlanContext): number {
  const { dict_key } = validBody(context, 'createStaticQrCode')
  return 73 - [...String(dict_key)].length
}

const WITHOUT_AMOUNT: readonly Edit[] = [
  { at: '/amount', value: {} },
  { at: '/amount', value: { original: '0.00' } },
]

const WITHOUT_PAYER: Edit = { at: '/payer', value: undefined }

/** Payers who are named in part. */
const IN_PART: readonly Edit[] = [
  { at: '/payer', value: { name: 'Fulano de Tal' } },
  { at: '/payer', value: { tax_id: '12345678909' } },
]

/** Dates that are missing or past, and adjustments that leave nothing, or are incomplete. */
function refusedDueDates({ clock }: PlanContext): Edit[] {
  return [
    { at: '/calendar', value: {} },
    dueOn('2020-01-02'),
    dueOn(clock.day(-1)),
    adjusted('10.00', { deduction: { amount: '10.00', modality: '1' } }),
    // All of the amount as a percentage, which is less than the amount.
    adjusted('200.00', { deduction: { amount: '100.00', modality: '2' } }),
    adjusted('200.00', { discount: { amount: '100.00', modality: '5' } }),
    adjusted('200.00', { discount: { amount: '100.00', modality: '6' } }),
    // A modality without its dates, and dates with a modality that has none.
    adjusted('10.00', { discount: { amount: '1.00', modality: '1' } }),
    adjusted('10.00', {
      discount: {
        modality: '3',
        amount: '1.00',
        fixedDateDiscount: [{ amount: '1.00', date: clock.day(9) }],
      },
    }),
    adjusted('10.00', {
      discount: {
        modality: '1',
        amount: '1.00',
        fixedDateDiscount: [{ amount: '1.00', date: clock.day(9) }],
      },
    }),
    discountUntil(clock.day(DUE_IN_DAYS + 1), '1.00'),
    discountUntil(clock.day(9), '10.00'),
    ...leavingNothing(clock),
  ]
}

/**
 * Discounts that leave nothing to pay, in part only together with the deduction: by day as early as
 * today, and until a date on this date.
 */
function leavingNothing(clock: PlanContext['clock']): Edit[] {
  const deduction = { amount: '6.00', modality: '1' }
  const fixedDateDiscount = [
    { amount: '1.00', date: clock.day(4) },
    { amount: '4.00', date: clock.day(9) },
  ]
  return [
    // A value and a percentage for each day, and for each business day.
    adjusted('10.00', { discount: { amount: '1.00', modality: '3' } }),
    adjusted('10.00', { discount: { amount: '2.00', modality: '4' } }),
    adjusted('10.00', { discount: { amount: '10.00', modality: '5' } }),
    adjusted('10.00', { discount: { amount: '20.00', modality: '6' } }),
    adjusted('10.00', { deduction, discount: { amount: '0.40', modality: '3' } }),
    adjusted('10.00', { deduction, discount: { modality: '1', fixedDateDiscount } }),
  ]
}

function dueDatesAtEdge({ clock }: PlanContext): Edit[] {
  return [
    adjusted('10.00', { deduction: { amount: '99.99', modality: '2' } }),
    // A deduction and a discount that leave a centavo.
    adjusted('10.00', {
      deduction: { amount: '6.00', modality: '1' },
      discount: {
        modality: '1',
        fixedDateDiscount: [{ amount: '3.99', date: clock.day(9) }],
      },
    }),
    discountUntil(clock.day(DUE_IN_DAYS), '1.00'),
    dueOn(clock.day()),
  ]
}

/** A charge with a due date and nothing else that depends on dates. */
function dueOn(due_date: string): Edit {
  return { at: '', value: { calendar: { due_date }, amount: { original: '10.00' } } }
}

function adjusted(original: string, adjustment: object): Edit {
  return { at: '/amount', value: { original, ...adjustment } }
}

/** A discount of an amount of 10.00. */
function discountUntil(date: string, amount: string): Edit {
  return adjusted('10.00', { discount: { modality: '1', fixedDateDiscount: [{ amount, date }] } })
}

async function checkCode(context: PlanContext): Promise<void> {
  const tried = await tryEdits(context, 'checkCode', { example: 0 }, invalidEdits)
  if (!tried) return
  const code = emvIn(tried.valid)
  for (const edit of valuesOf('/emv', sameCodes(code)))
    await sendEdit(context, 'checkCode', tried, edit)

  // A code of a person, whose tax ID is masked, and one that leaves the amount to the payer.
  const key = await keyOfPerson(context)
  for (const emv of [withKey(code, key), withoutAmount(code)])
    if (emv !== undefined) await context.send('checkCode', { body: { emv } })
}

/** The key of the first example, as the directory has it. */
async function keyOfPerson(context: PlanContext): Promise<string> {
  const { dict_key } = validBody(context, 'checkKey')
  await context.send('checkKey', { body: { dict_key } })
  return String(dict_key)
}

function invalidEdits(input: Input): Edit[] {
  return valuesOf('/emv', [...invalidCodes(emvIn(input)), ...codesOfNobody(emvIn(input))])
}

/**
 * Codes whose key has no form of a key: a telephone without its +, a CNPJ in small letters, and an
 * e-mail in capital ones. Then codes of keys that nobody has.
 */
function codesOfNobody(code: string): string[] {
  const withoutForm = [' 5561912345678', 'qx73bw92000102', 'Fulano@Example.com']
  const codes = [...withoutForm, ...NOBODYS_KEYS].map((key) => withKey(code, key))
  return codes.filter((it) => it !== undefined)
}

function emvIn({ body }: Input): string {
  return stringAt(body, '/emv') ?? ''
}

/** The edits of the beneficiary of a transfer. */
const BENEFICIARIES: readonly Edit[] = [
  { at: '/beneficiary', value: { tax_id: '52998224725' } },
  { at: '/beneficiary', value: { tax_id: '***.982.247-**' } },
  { at: '/beneficiary', value: { account_number: '98765432109876543210' } },
  { at: '/beneficiary', value: { ispb: '00000000' } },
  { at: '/beneficiary', value: { branch: '9876' } },
  { at: '/beneficiary', value: { name: 'Someone Else' } },
]

/** The example of a transfer to a key. */
const TO_KEY = { example: 3 }

async function payKey(context: PlanContext): Promise<void> {
  const { clock, fresh } = context
  const otherKey = await otherKeyOf(context)

  function edits({ body }: Input): Edit[] {
    const issued = stringAt(body, '/initiation_id') ?? ''
    return [
      { at: '/initiation_id', value: inSameForm(issued, fresh(400)) },
      { at: '/initiation_id', value: 'ini_neverissued00000000' },
      { at: '/initiation_id', value: '00000000-0000-4000-8000-000000000000' },
      { at: '/dict_key', value: otherKey },
      { at: '/type', value: 'other' },
      { at: '/type', value: undefined },
      { at: '/amount', value: '9999999999.99' },
      { at: '/amount', value: '0.00' },
      ...BENEFICIARIES,
      { at: '/payment_date', value: clock.day(1) },
      { at: '/payment_date', value: clock.day(3) },
      { at: '/payment_date', value: clock.day(-1) },
    ]
  }

  const tried = await tryEdits(context, 'createTransfer', TO_KEY, edits, [
    { at: '', by: 'other' },
    BY_CUSTOMER,
    { at: '/payment_date', value: clock.day() },
  ])
  const others = [payAsShown, payByPartner, payOtherKey]
  await context.sideBySide(others, (other) => other(context, tried))
}

/** A key that the service knows, and that is not the one which is paid. */
async function otherKeyOf(context: PlanContext): Promise<string | undefined> {
  const paidKey = stringAt(validBody(context, 'checkKey'), '/dict_key')
  const example = stringAt(validBody(context, 'checkKey', 1), '/dict_key') ?? ''
  const keys = [example, ...(await keysToTry(context))]
  for (const dict_key of keys.filter((key) => key !== paidKey)) {
    const { isAccepted } = await context.send('checkKey', { body: { dict_key } })
    if (isAccepted) return dict_key
  }
  return example
}

/** Sends the tax ID back as the look-up shows it, which may be masked. */
async function payAsShown(context: PlanContext, tried: AcceptedRequest | undefined): Promise<void> {
  const valid = tried && (await validRequest(context, 'createTransfer', TO_KEY))
  if (!valid) return

  const { dict_key } = fieldsOf(valid.body)
  const { json } = await context.send('checkKey', { body: { dict_key }, by: valid.by })
  const initiation_id = stringAt(json, '/initiation_id')
  const tax_id = stringAt(json, '/owner_document')
  if (initiation_id === undefined || tax_id === undefined) return

  const looked = { ...valid, body: { ...fieldsOf(valid.body), initiation_id } }
  await sendEdit(
    context,
    'createTransfer',
    { ...tried, valid: looked },
    {
      at: '/beneficiary/tax_id',
      value: tax_id,
    },
  )
}

/** The partner uses the look-up of its customer. */
async function payByPartner(
  context: PlanContext,
  tried: AcceptedRequest | undefined,
): Promise<void> {
  const valid = await validRequest(context, 'createTransfer', { ...TO_KEY, by: 'customer' })
  if (!tried || !valid) return
  await sendEdit(context, 'createTransfer', { ...tried, valid }, { at: '', by: 'partner' })
}

/** Names another key of the same beneficiary, which its tax ID often is. */
async function payOtherKey(
  context: PlanContext,
  tried: AcceptedRequest | undefined,
): Promise<void> {
  const taxId = stringAt(tried?.accepted.json, '/data/beneficiary/tax_id')
  if (!tried || taxId === undefined) return
  const { isAccepted: isKey } = await context.send('checkKey', { body: { dict_key: taxId } })
  if (!isKey) return
  const valid = await validRequest(context, 'createTransfer', TO_KEY)
  if (!valid) return
  const edit = { at: '/dict_key', value: taxId }
  await sendEdit(context, 'createTransfer', { ...tried, valid }, edit)
}

/** A value with other letters and digits, apart from its first four characters. */
function inSameForm(value: string, letters: string): string {
  const isReplaced = (character: string, i: number) => i > 3 && /[A-Za-z0-9]/.test(character)
  const characters = [...value].map((character, i) =>
    isReplaced(character, i) ? (letters[i] ?? character) : character,
  )
  return characters.join('')
}

async function payStatic(context: PlanContext): Promise<void> {
  await tryEdits(context, 'createTransfer', { example: 0, by: 'customer' }, (input) => [
    { at: '/amount', value: '99.99' },
    { at: '/amount', value: '0.01' },
    { at: '', value: { emv: withoutAmount(emvIn(input)), amount: '0.00' } },
    ...valuesOf('/emv', codesOfNobody(emvIn(input))),
  ])
}

async function payCharges(context: PlanContext): Promise<void> {
  const original = stringAt(validBody(context, 'createDueDateQrCode'), '/amount/original')
  const charges = [
    () =>
      payCharge(context, 'createImmediateQrCode', 1, (input) => [
        ...invalidEdits(input),
        ...BENEFICIARIES,
      ]),
    // What is due is less or more than the original amount.
    () => payCharge(context, 'createDueDateQrCode', 2, () => [{ at: '/amount', value: original }]),
  ]
  await context.sideBySide(charges, (charge) => charge())
}

async function payCharge(
  context: PlanContext,
  create: string,
  example: number,
  editsOf: (input: Input) => readonly Edit[],
): Promise<void> {
  const options = { example, by: 'customer' } as const
  const tried = await tryEdits(context, 'createTransfer', options, (input) => [
    { at: '/amount', value: '99.99' },
    { at: '/amount', value: '0.01' },
    ...editsOf(input),
    { at: '/payment_date', value: context.clock.day(3) },
  ])
  if (tried) await useEnded(context, create, tried)
}

/** Checks and pays a code that was just paid, and one that was cancelled. */
async function useEnded(
  context: PlanContext,
  create: string,
  { valid, accepted }: AcceptedRequest,
): Promise<void> {
  const { send } = context
  const by = 'customer'
  const pay = (emv: string) =>
    sendEdit(context, 'createTransfer', { accepted, valid }, { at: '/emv', value: emv, by })
  const paid = emvIn(valid)
  await pay(paid)

  const { id = '', emv: cancelled = '' } = await createRecord(context, create)
  const { sentAt: variantOf } = await send('checkCode', { body: { emv: cancelled }, by })
  await send(create.replace('create', 'cancel'), { path: { id } })
  for (const emv of [paid, cancelled])
    await send('checkCode', { body: { emv }, by, intent: { variantOf } })
  await pay(cancelled)
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
  await tryEdits(context, 'createWebhook', {}, () => valuesOf('/url', URLS))

  // The rule is that of createWebhook, so half of the addresses are enough.
  const everySecond = URLS.filter((_, i) => i % 2 === 0)
  await tryEdits(context, 'updateWebhook', {}, ({ body }) => {
    // It also holds while the webhook is inactive.
    const status = stringAt(body, '/status') === 'active' ? 'inactive' : 'active'
    const withStatus = URLS.slice(0, 2).map((url) => ({ url, status }))
    return [...valuesOf('/url', everySecond), ...valuesOf('', withStatus)]
  })
}

/** A request that was accepted, and another valid one. */
interface AcceptedRequest {
  readonly accepted: Outcome
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
): Promise<AcceptedRequest | undefined> {
  if (!context.isChosen(operation)) return undefined
  const accepted = await sendValid(context, operation, options)
  if (!accepted?.isAccepted) return undefined
  const first = await validRequest(context, operation, options)
  if (!first) return undefined

  const lanes = lanesOf(edits(first).length)
  const [valid = first] = await context.sideBySide(lanes, async ([from, to]) => {
    const own = from === 0 ? first : await validRequest(context, operation, options)
    return own && tryLane(context, operation, { accepted, valid: own, options, edits, from, to })
  })

  await context.sideBySide(alone, async (edit) => {
    const next = await validRequest(context, operation, options)
    if (next) await sendEdit(context, operation, { accepted, valid: next }, edit)
  })
  return { accepted, valid }
}

/** Edits that are sent one after the other. */
const LANE = 12

/** The edits in parts that can be sent side by side: where each begins and ends. */
function lanesOf(count: number): (readonly [from: number, to: number])[] {
  const lanes: (readonly [number, number])[] = []
  for (let from = 0; from < Math.max(1, count); from += LANE)
    lanes.push([from, Math.min(from + LANE, count)])
  return lanes
}

interface Lane extends AcceptedRequest {
  readonly options: ValidOptions
  readonly edits: (valid: Input) => readonly Edit[]
  readonly from: number
  readonly to: number
}

/** Sends edits of a request, then the request itself. Returns it. */
async function tryLane(
  context: PlanContext,
  operation: string,
  { accepted, valid: given, options, edits, from, to }: Lane,
): Promise<Input> {
  let valid = given
  for (let i = from; i < to; i++) {
    // The edits are built from the request that is valid now.
    const edit = edits(valid)[i]
    if (!edit) continue
    const { isAccepted } = await sendEdit(context, operation, { accepted, valid }, edit)
    // An edit that was accepted has used the values up, of which the refusal of the next one would
    // speak.
    if (isAccepted) valid = (await validRequest(context, operation, options)) ?? valid
  }
  await context.send(operation, valid)
  return valid
}

async function sendEdit(
  { send }: PlanContext,
  operation: string,
  { valid, accepted }: AcceptedRequest,
  { at, value, by = valid.by }: Edit,
): Promise<Outcome> {
  const body =
    at === '' ? { ...fieldsOf(valid.body), ...fieldsOf(value) } : withValue(valid.body, at, value)
  return send(operation, { ...valid, body, by, intent: { variantOf: accepted.sentAt, edit: at } })
}
