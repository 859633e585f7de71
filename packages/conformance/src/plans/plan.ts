import type { Origin } from '@partner-payments/contract'
import type { Contract, Operation } from '../contract/contract.ts'
import { fieldsOf, type Json, stringAt, withValue } from '../contract/json.ts'
import type { OwnForm } from '../form/own-form.ts'
import type { ShownBalances } from '../history.ts'
import { findUser, type Identities } from '../send/identities.ts'
import type { Receiver } from '../send/receiver.ts'
import type { ServiceClock } from '../send/sandbox.ts'
import type { Input, Outcome, Send, Sender } from '../send/sender.ts'
import type { FoundValues } from './found-values.ts'

/**
 * Values by operationId and by JSON pointer, into the body or to the name of a parameter of the
 * path.
 */
export type RequestValues = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** What a plan gets. It sends requests and judges nothing. */
export interface PlanContext {
  readonly send: Send
  readonly contract: Contract
  /** How the service writes what is assumed, as far as that is known. */
  readonly form: OwnForm
  /** A value that no earlier request has, such as a tx_id of 30 letters and digits. */
  fresh(length?: number): string
  /** A number from 0 up to 1. The same seed gives the same numbers. */
  random(): number
  /**
   * Whether an operation is checked in this run. A plan that goes through operations skips the
   * others.
   */
  isChosen(operation: string): boolean
  readonly identities: Identities
  readonly clock: ServiceClock
  /** Looks at the balances that a sandbox shows; undefined if the service shows none. */
  lookAtBalances(): Promise<ShownBalances | undefined>
  /** Undefined if no delivery can reach this machine. */
  readonly receiver: Receiver | undefined
  /** Values that the user sets for requests, by operationId and pointer. */
  readonly values: RequestValues
  /** Values that were accepted where those of an example were refused. */
  readonly found: FoundValues
  /** Whether the run may look for keys of its own, as on a sandbox, where nobody is looked up. */
  readonly maySearch: boolean
  /** Whether the run may wait seconds for what ends, which a mock does not know. */
  readonly mayWait: boolean
  /** Milliseconds for random cases. */
  readonly timeMs: number
  /**
   * Requests again the lists that differ from a write that was so new that they may lag behind it,
   * once they may no longer. A plan calls it before it ends the records that they show.
   */
  lookAgain(): Promise<void>
  /**
   * Does work that is independent of that for other items: side by side if the service takes long to
   * respond, and otherwise in order. Returns the results in order.
   */
  sideBySide<Item, Made>(
    items: readonly Item[],
    work: (item: Item) => Promise<Made>,
  ): Promise<readonly Made[]>
  /**
   * Remembers whether the service accepted a valid request. One of which it never accepts any is
   * named in the result, since what builds on it was not tried.
   */
  noteValid(request: string, isAccepted: boolean): void
  /** Waits, unless the run is ended. */
  wait(ms: number): Promise<void>
  readonly signal: AbortSignal
}

/** A part of a run that sends requests. */
export interface Plan {
  readonly id: string
  /**
   * The rules that it wants a case of, or the first words of their ids. One without a case after
   * the run is inconclusive.
   */
  readonly wants: readonly string[]
  run(context: PlanContext): Promise<void>
}

export interface ValidOptions {
  /** The index of the example of the contract. Default: one that needs few other requests. */
  readonly example?: number
  /**
   * Who sends it, and what it needs before. Default: the partner; a customer pays codes of the
   * partner.
   */
  readonly by?: Sender | undefined
  /** Whether it has the optional fields that the example leaves out. Default: false. */
  readonly isFull?: boolean
}

/** A valid request, with what has to be there before it. */
interface Needed {
  readonly context: PlanContext
  readonly operation: string
  readonly example: number
  readonly by: Sender | undefined
  readonly isFull: boolean
  /** The operations that need it, so that none is sent for itself. */
  readonly later: readonly string[]
}

/** The due dates of requests, in days from now. */
export const DUE_IN_DAYS = 20
/**
 * An example that needs no payment code of this service, or one that a live service lets the run
 * create.
 */
const DEFAULT_EXAMPLES: Readonly<Record<string, number>> = { checkCode: 1, createTransfer: 3 }
/** The creations of the codes in the examples of checkCode and createTransfer, in their order. */
const CODES = ['createStaticQrCode', 'createImmediateQrCode', 'createDueDateQrCode'] as const

/**
 * A request of an operation that a service must accept. It has new one-time values, and uses new
 * records, which this function creates by other requests. Undefined if one of these was refused.
 */
export async function validRequest(
  context: PlanContext,
  operation: string,
  { example = DEFAULT_EXAMPLES[operation] ?? 0, by, isFull = false }: ValidOptions = {},
): Promise<Input | undefined> {
  const input = await requestFor({ context, operation, example, by, isFull, later: [] })
  if (!input) context.noteValid(nameOf(operation, example), false)
  return input
}

async function requestFor(needed: Needed): Promise<Input | undefined> {
  const { context, operation, example, by, isFull } = needed
  const hasBody = context.contract.examples(operation).length > 0
  const optional = isFull ? optionalFields(context, operation) : {}
  const body = hasBody ? withFields(validBody(context, operation, example), optional) : undefined

  const earlier = await neededFor(needed)
  if (!earlier) return undefined
  return { by, ...earlier, body: body && { ...body, ...fieldsOf(earlier.body) } }
}

/** Sends a valid request. */
export async function sendValid(
  context: PlanContext,
  operation: string,
  options?: ValidOptions,
): Promise<(Outcome & { readonly input: Input }) | undefined> {
  const input = await validRequest(context, operation, options)
  if (!input) return undefined
  const outcome = await context.send(operation, input)
  const wasSent = outcome.sentAt > 0
  if (wasSent) context.noteValid(nameOf(operation, options?.example), outcome.isAccepted)
  if (!wasSent || outcome.isAccepted) return { ...outcome, input }

  const byCustomer = await payByCustomer(context, operation, { options, outcome })
  if (byCustomer) return byCustomer
  const other = await sendWithOtherValues(context, operation, { input, example: options?.example })
  return other ?? { ...outcome, input }
}

/** Statuses that say that an identity may not send a request. */
const NOT_ALLOWED: ReadonlySet<number> = new Set([401, 403])

interface Refused {
  readonly options: ValidOptions | undefined
  readonly outcome: Outcome
}

/** A payment by the customer, of a service that refuses those of the partner. */
async function payByCustomer(
  context: PlanContext,
  operation: string,
  { options, outcome }: Refused,
): Promise<(Outcome & { readonly input: Input }) | undefined> {
  const isOfPartner = operation === 'createTransfer' && (options?.by ?? 'partner') === 'partner'
  const mayPay = context.maySearch && context.identities.has('partner')
  if (!isOfPartner || !mayPay || !NOT_ALLOWED.has(outcome.status)) return undefined

  const input = await validRequest(context, operation, { ...options, by: 'customer' })
  if (!input) return undefined
  const paid = await context.send(operation, input)
  if (!paid.isAccepted) return undefined

  context.found.payer = 'customer'
  context.noteValid(nameOf(operation, options?.example), true)
  return { ...paid, input }
}

/**
 * Sends a request that was refused with other values, once in a run. Later requests of the operation
 * have them too, if they are accepted.
 */
async function sendWithOtherValues(
  context: PlanContext,
  operation: string,
  {
    input,
    example = DEFAULT_EXAMPLES[operation] ?? 0,
  }: { input: Input; example?: number | undefined },
): Promise<(Outcome & { readonly input: Input }) | undefined> {
  if (!context.found.begin(operation, example)) return undefined

  for (const values of await otherValues(context, operation)) {
    const otherInput = { ...input, body: withFields(input.body, values) }
    const outcome = await context.send(operation, otherInput)
    if (!outcome.isAccepted) continue

    context.found.keep(operation, example, values)
    context.noteValid(nameOf(operation, example), true)
    return { ...outcome, input: otherInput }
  }
  return undefined
}

/** Operations whose example has a key that a service may not know. */
const OF_KEYS: ReadonlySet<string> = new Set([
  'checkKey',
  'createStaticQrCode',
  'createImmediateQrCode',
  'createDueDateQrCode',
])

/** What else is valid where the value of an example is refused, which a service may not know. */
async function otherValues(context: PlanContext, operation: string): Promise<readonly Json[]> {
  if (operation === 'updateWebhook') return [{ '/status': 'active' }]
  if (!OF_KEYS.has(operation)) return []

  const keys = await keysToTry(context)
  return keys.map((dict_key) => ({ '/dict_key': dict_key }))
}

/** What of a user and its customers is often a key: first the documents, then the addresses. */
const KEY_FIELDS = ['/customers/0/tax_id', '/tax_id', '/email', '/phone_number']

/** What may be a key of the first user that has a customer. On a live service, nobody is looked up. */
export async function keysToTry({ send, maySearch }: PlanContext): Promise<readonly string[]> {
  if (!maySearch) return []
  const user = await findUser(send)
  const keys = KEY_FIELDS.flatMap((pointer) => stringAt(user?.shown, pointer) ?? [])
  return [...new Set(keys)].filter((key) => key !== '')
}

function nameOf(operation: string, example = DEFAULT_EXAMPLES[operation] ?? 0): string {
  return example === 0 ? operation : `${operation} (example ${example + 1})`
}

/** Fields that no example has, by their pointers. */
function optionalFields({ clock }: PlanContext, operation: string): Json {
  switch (operation) {
    case 'createTransfer':
      return { '/payment_date': clock.day(), '/description': 'Pedido 1001' }
    case 'createImmediateQrCode':
      return { '/additional_infos': [{ name: 'Pedido', value: '1004' }] }
    case 'createDueDateQrCode':
      return { '/amount/deduction': { amount: '1.00', modality: '1' } }
    default:
      return {}
  }
}

/** A body with other values at some pointers. */
function withFields(body: unknown, fields: Json): Json {
  let edited = body
  for (const [pointer, value] of Object.entries(fields)) edited = withValue(edited, pointer, value)
  return fieldsOf(edited)
}

/**
 * The same request with new one-time values; undefined if there are none. A tx_id keeps its length
 * and its last characters, and the `initiation_id` stays as it is if `kept` is its pointer.
 */
export async function renewedRequest(
  context: PlanContext,
  input: Input,
  kept?: string,
): Promise<Input | undefined> {
  const { tx_id, initiation_id, dict_key } = fieldsOf(input.body)
  if (tx_id !== undefined) {
    const newTxId = context.fresh(RENEWED) + String(tx_id).slice(RENEWED)
    return { ...input, body: withValue(input.body, '/tx_id', newTxId) }
  }
  if (initiation_id === undefined || kept === '/initiation_id') return input

  const { json } = await context.send('checkKey', { body: { dict_key }, by: input.by })
  const newInitiationId = stringAt(json, '/initiation_id')
  if (newInitiationId === undefined) return undefined
  return { ...input, body: withValue(input.body, '/initiation_id', newInitiationId) }
}

/** The first characters of a tx_id, which make it new. */
const RENEWED = 20

/**
 * The body of an example, with a new tx_id, dates in the future, and the values that the user sets.
 */
export function validBody(
  { contract, fresh, clock, values, found }: PlanContext,
  operation: string,
  example = 0,
): Json {
  const newValues: Json = {
    '/tx_id': fresh(),
    '/calendar/due_date': clock.day(DUE_IN_DAYS),
    '/amount/discount/fixedDateDiscount/0/date': clock.day(DUE_IN_DAYS),
  }
  const sample = contract.examples(operation)[example]
  const ofSample = Object.entries(newValues).filter(
    ([pointer]) => stringAt(sample, pointer) !== undefined,
  )
  return withFields(sample, {
    ...Object.fromEntries(ofSample),
    ...found.of(operation, example),
    ...values[operation],
  })
}

/** What a request needs before it; undefined if that was refused. */
async function neededFor(needed: Needed): Promise<Input | undefined> {
  if (needed.operation === 'createTransfer') return payment(needed)

  const operation = operationOf(needed, needed.operation)
  return operation ? earlierValues(needed, operation) : {}
}

function operationOf({ context }: Needed, id: string): Operation | undefined {
  return context.contract.operations.find((operation) => operation.id === id && !operation.isAlias)
}

/**
 * The ids of the path, and the fields of the body that an earlier response shows: those that the
 * user sets, else those of the operation that the contract names.
 */
async function earlierValues(needed: Needed, operation: Operation): Promise<Input | undefined> {
  const inPath = pathParameters(operation)
  const origin = findOrigin(needed, operation, inPath)
  const ofBody = (origin?.values ?? []).filter((value) => value.in === 'body')
  const inBody = ofBody.map(({ name }) => name)

  const isSet = (name: string) => setValue(needed, name) !== undefined
  const isComplete = [...inPath, ...inBody].every(isSet)
  const shown = origin && !isComplete ? await sendOrigin(needed, origin) : {}

  const findValue = (name: string) => setValue(needed, name) ?? shown[name]
  const path = completeValues(inPath, findValue)
  const body = completeValues(inBody, findValue)
  if (operation.id === 'impersonate' && !body) return otherCustomer(needed)
  return path && body && { path, body }
}

/** The customer of another user than the first, which has none. */
async function otherCustomer({ context, by }: Needed): Promise<Input | undefined> {
  const user = await findUser(context.send, by)
  const customer_id = stringAt(user?.shown, '/customers/0/id')
  if (!user || customer_id === undefined) return undefined
  return { body: { user_id: user.user_id, customer_id } }
}

/** Values by their names; undefined if one of them has none. */
function completeValues(
  names: readonly string[],
  findValue: (name: string) => string | undefined,
): Readonly<Record<string, string>> | undefined {
  const values: Record<string, string> = {}
  for (const name of names) {
    const value = findValue(name)
    if (value === undefined) return undefined
    values[name] = value
  }
  return values
}

function pathParameters({ parameters }: Operation): string[] {
  return parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
}

/**
 * The first operation that shows all ids of the path. Where several create codes, it is the one that
 * creates the code of the example.
 */
function findOrigin(
  { example, later }: Needed,
  { origins }: Operation,
  inPath: readonly string[],
): Origin | undefined {
  const complete = origins.filter(({ from, values }) => {
    const names = values.map(({ name }) => name)
    return !later.includes(from) && inPath.every((name) => names.includes(name))
  })
  return complete.find(({ from }) => from === CODES[example]) ?? complete[0]
}

/** Sends the earlier operation. Returns its values by their names in the later request. */
async function sendOrigin(
  needed: Needed,
  { from, values }: Origin,
): Promise<Readonly<Record<string, string | undefined>>> {
  const { context, operation, later } = needed
  // The partner creates the code, whoever checks it, since a customer may own no key.
  const by = operation === 'checkCode' ? undefined : needed.by
  const input = await requestFor({
    context: withPathOf(needed, from),
    operation: from,
    example: DEFAULT_EXAMPLES[from] ?? 0,
    by,
    isFull: false,
    later: [...later, operation],
  })
  if (!input) return {}

  const { json } = await context.send(from, input)
  const shown: Record<string, string | undefined> = {}
  for (const { name, side, pointer } of values) {
    const message = side === 'request' ? input.body : json
    // An id in the path of the earlier request is that of the later one too.
    shown[name] = input.path?.[name] ?? stringAt(message, pointer)
  }
  return shown
}

/** The ids that the user sets for the later request are those of the earlier one too. */
function withPathOf(needed: Needed, from: string): PlanContext {
  const { context } = needed
  const earlier = operationOf(needed, from)
  const ids: Record<string, unknown> = {}
  for (const name of earlier ? pathParameters(earlier) : []) {
    const value = setValue(needed, name)
    if (value !== undefined) ids[`/${name}`] = value
  }
  const values = { ...context.values, [from]: { ...ids, ...context.values[from] } }
  return { ...context, values }
}

/** A value that the user sets for an operation, in its path or body. */
function setValue({ context, operation }: Needed, name: string): string | undefined {
  const value = context.values[operation]?.[`/${name}`]
  return typeof value === 'string' ? value : undefined
}

/**
 * Creates a record, by default that of the example. Its id and its payment code are undefined if it
 * was refused.
 */
export async function created(
  context: PlanContext,
  operation: string,
  { body = validBody(context, operation), by }: Pick<Input, 'body' | 'by'> = {},
): Promise<{ readonly id: string | undefined; readonly emv: string | undefined }> {
  const { json } = await context.send(operation, { body, by })
  return { id: stringAt(json, '/id'), emv: stringAt(json, '/emv') }
}

/** A payment says more than its links: who pays, and how much. */
function payment(needed: Needed): Promise<Input | undefined> {
  return needed.example < CODES.length ? codePayment(needed) : keyPayment(needed)
}

async function codePayment(needed: Needed): Promise<Input | undefined> {
  const { context, example, by = 'customer', isFull } = needed
  // A new payment code of the partner.
  const { emv } = await created(context, CODES[example] ?? CODES[0])
  if (emv === undefined) return undefined
  const check = await context.send('checkCode', { body: { emv }, by })
  const amount = stringAt(check.json, '/final_amount')
  const { name, ispb, account_type, tax_id } = fieldsOf(fieldsOf(check.json).beneficiary)
  if (amount === undefined) return undefined
  // A service may not accept a tax ID that it masks.
  const isMasked = String(tax_id).includes('*')
  const beneficiary = { name, ispb, account_type, ...(!isMasked && { tax_id }) }
  const optional = isFull ? { beneficiary } : {}
  return { body: { emv, amount, ...optional }, by }
}

async function keyPayment({
  context,
  operation,
  example,
  by = context.found.payer,
  isFull,
}: Needed): Promise<Input | undefined> {
  const amount = context.values[operation]?.['/amount'] ?? SMALLEST
  const body = validBody(context, 'checkKey', example - CODES.length)
  const { json } = await context.send('checkKey', { body, by })
  const initiation_id = stringAt(json, '/initiation_id')
  const dict_key = stringAt(json, '/dict_key')
  if (initiation_id === undefined) return undefined
  const optional = isFull ? { beneficiary: beneficiaryOf(json) } : {}
  return { body: { amount, initiation_id, dict_key, ...optional }, by }
}

/** The beneficiary of a transfer to a key, as the check of the key shows it. */
function beneficiaryOf(check: unknown): Json {
  const { owner_name, ispb, account_type, branch, account_number } = fieldsOf(check)
  return { name: owner_name, ispb, account_type, branch, account_number }
}

/** The amount of a payment to a key. */
const SMALLEST = '0.01'
