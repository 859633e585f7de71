import type { Origin } from '@partner-payments/contract'
import type { Operation } from '../contract/contract.ts'
import { fieldsOf, type Json, stringAt, withValue } from '../contract/json.ts'
import { findUser } from '../send/identities.ts'
import { findOperation, type Input, type Sender } from '../send/sender.ts'
import { optionalFields, validBody, withFields } from './bodies.ts'
import type { PlanContext } from './plan.ts'

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
interface RequestDraft {
  readonly context: PlanContext
  readonly operation: string
  readonly example: number
  readonly by: Sender | undefined
  readonly isFull: boolean
  /** The operations that need it, so that none is sent for itself. */
  readonly later: readonly string[]
}

/**
 * An example that needs no payment code of this service, or one that a live service lets the run
 * create.
 */
export const DEFAULT_EXAMPLES: Readonly<Record<string, number>> = {
  checkCode: 1,
  createTransfer: 3,
}
/** The creations of the codes in the examples of checkCode and createTransfer, in their order. */
export const CODES = ['createStaticQrCode', 'createImmediateQrCode', 'createDueDateQrCode'] as const

/**
 * A request of an operation that a service must accept. It has new one-time values, and uses new
 * records, which this function creates by other requests. Undefined if one of these was refused.
 */
export async function validRequest(
  context: PlanContext,
  operation: string,
  { example = DEFAULT_EXAMPLES[operation] ?? 0, by, isFull = false }: ValidOptions = {},
): Promise<Input | undefined> {
  const input = await buildRequest({ context, operation, example, by, isFull, later: [] })
  if (!input) context.noteValid(requestName(operation, example), false)
  return input
}

async function buildRequest(draft: RequestDraft): Promise<Input | undefined> {
  const { context, operation, example, by, isFull } = draft
  const hasBody = context.contract.examples(operation).length > 0
  const optional = isFull ? optionalFields(context, operation) : {}
  const body = hasBody ? withFields(validBody(context, operation, example), optional) : undefined

  const earlier = await prepareRequest(draft)
  if (!earlier) return undefined
  return { by, ...earlier, body: body && { ...body, ...fieldsOf(earlier.body) } }
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

/** A valid request in words: its operation, and the example if it is not the first. */
export function requestName(operation: string, example = DEFAULT_EXAMPLES[operation] ?? 0): string {
  return example === 0 ? operation : `${operation} (example ${example + 1})`
}

/** Sends what a request needs before it. Returns its values from there; undefined if that was refused. */
async function prepareRequest(draft: RequestDraft): Promise<Input | undefined> {
  if (draft.operation === 'createTransfer') return preparePayment(draft)

  const operation = findOperation(draft.context.contract, draft.operation)
  return operation ? prepareValues(draft, operation) : {}
}

/**
 * Finds the ids of the path, and the fields of the body that an earlier response shows: those that
 * the user sets, else those of the operation that the contract names, which it sends.
 */
async function prepareValues(
  draft: RequestDraft,
  operation: Operation,
): Promise<Input | undefined> {
  const inPath = pathParameters(operation)
  const origin = findOrigin(draft, operation, inPath)
  const ofBody = (origin?.values ?? []).filter((value) => value.in === 'body')
  const inBody = ofBody.map(({ name }) => name)

  const isSet = (name: string) => givenValue(draft, name) !== undefined
  const isComplete = [...inPath, ...inBody].every(isSet)
  const shown = origin && !isComplete ? await sendOrigin(draft, origin) : {}

  const findValue = (name: string) => givenValue(draft, name) ?? shown[name]
  const path = completeValues(inPath, findValue)
  const body = completeValues(inBody, findValue)
  if (operation.id === 'impersonate' && !body) return findOtherCustomer(draft)
  return path && body && { path, body }
}

/** The customer of another user than the first, which has none. */
async function findOtherCustomer({ context, by }: RequestDraft): Promise<Input | undefined> {
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
  { example, later }: RequestDraft,
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
  draft: RequestDraft,
  { from, values }: Origin,
): Promise<Readonly<Record<string, string | undefined>>> {
  const { context, operation, later } = draft
  // The partner creates the code, whoever checks it, since a customer may own no key.
  const by = operation === 'checkCode' ? undefined : draft.by
  const input = await buildRequest({
    context: withEarlierPath(draft, from),
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
function withEarlierPath(draft: RequestDraft, from: string): PlanContext {
  const { context } = draft
  const earlier = findOperation(context.contract, from)
  const ids: Record<string, unknown> = {}
  for (const name of earlier ? pathParameters(earlier) : []) {
    const value = givenValue(draft, name)
    if (value !== undefined) ids[`/${name}`] = value
  }
  const values = { ...context.values, [from]: { ...ids, ...context.values[from] } }
  return { ...context, values }
}

/** A value that the user sets for an operation, in its path or body. */
function givenValue({ context, operation }: RequestDraft, name: string): string | undefined {
  const value = context.values[operation]?.[`/${name}`]
  return typeof value === 'string' ? value : undefined
}

/**
 * Creates a record, by default that of the example. Its id and its payment code are undefined if it
 * was refused.
 */
export async function createRecord(
  context: PlanContext,
  operation: string,
  { body = validBody(context, operation), by }: Pick<Input, 'body' | 'by'> = {},
): Promise<{ readonly id: string | undefined; readonly emv: string | undefined }> {
  const { json } = await context.send(operation, { body, by })
  return { id: stringAt(json, '/id'), emv: stringAt(json, '/emv') }
}

/** A payment needs more than the contract links: who pays, and how much. */
function preparePayment(draft: RequestDraft): Promise<Input | undefined> {
  return draft.example < CODES.length ? prepareCodePayment(draft) : prepareKeyPayment(draft)
}

async function prepareCodePayment(draft: RequestDraft): Promise<Input | undefined> {
  const { context, example, by = 'customer', isFull } = draft
  // A new payment code of the partner.
  const { emv } = await createRecord(context, CODES[example] ?? CODES[0])
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

async function prepareKeyPayment({
  context,
  operation,
  example,
  by: payer,
  isFull,
}: RequestDraft): Promise<Input | undefined> {
  const by = payerFor(context, payer)
  const amount = context.values[operation]?.['/amount'] ?? SMALLEST
  const body = validBody(context, 'checkKey', example - CODES.length)
  const { json } = await context.send('checkKey', { body, by })
  const initiation_id = stringAt(json, '/initiation_id')
  const dict_key = stringAt(json, '/dict_key')
  if (initiation_id === undefined) return undefined
  const optional = isFull ? { beneficiary: beneficiaryOf(json) } : {}
  return { body: { amount, initiation_id, dict_key, ...optional }, by }
}

/** Who pays for an identity, and so looks up the key that is paid. */
export function payerFor({ contract, identities }: PlanContext, by: Sender = 'partner'): Sender {
  const operation = findOperation(contract, 'createTransfer')
  return operation ? identities.actingFor(by, operation) : by
}

/** The beneficiary of a transfer to a key, as the check of the key shows it. */
function beneficiaryOf(check: unknown): Json {
  const { owner_name, ispb, account_type, branch, account_number } = fieldsOf(check)
  return { name: owner_name, ispb, account_type, branch, account_number }
}

/** The amount of a payment to a key. */
const SMALLEST = '0.01'
