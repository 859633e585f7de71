import type { Origin } from '@partner-payments/contract'
import type { Operation } from '../contract/contract.ts'
import { fieldsOf, type Json, stringAt, withValue } from '../contract/json.ts'
import { isMaskedTaxId } from '../model/tax-ids.ts'
import { findUser } from '../send/customers.ts'
import { findOperation, type Input, type Outcome, type Sender } from '../send/requests.ts'
import { BENEFICIARY, optionalFields, userFields, validBody, withFields } from './bodies.ts'
import { checkAsPayer } from './pay-as-others.ts'
import type { PlanContext } from './plan.ts'

export interface ValidOptions {
  /** The index of the example of the contract. Default: one that needs few other requests. */
  readonly example?: number
  /**
   * Who sends it, and what it needs before. Default: the partner; `payer` pays codes.
   */
  readonly by?: Sender | undefined
  /** The pointers of the optional parts that it has, and the example has not. Default: none. */
  readonly optionalParts?: readonly string[]
}

/** A valid request that is being built. */
interface RequestDraft {
  readonly context: PlanContext
  readonly operation: string
  readonly example: number
  readonly by: Sender | undefined
  readonly optionalParts: readonly string[]
  /** The operations that wait for this request, so that none is sent to prepare itself. */
  readonly waiting: readonly string[]
}

/**
 * The examples of createTransfer: the payment of a code of each kind, and of a key. Those of checkCode
 * have the same codes.
 */
export const EXAMPLE = { staticCode: 0, immediateCode: 1, dueDateCode: 2, key: 3 } as const

/** Examples that need no payment code of this service, or one that a live service lets the run create. */
const DEFAULT_EXAMPLES: Readonly<Record<string, number>> = {
  checkCode: EXAMPLE.immediateCode,
  createTransfer: EXAMPLE.key,
}

/** The example of an operation that is sent by default. */
export function defaultExample(operation: string): number {
  return DEFAULT_EXAMPLES[operation] ?? 0
}

/** The operations that create the codes of these examples, in their order. */
export const CODE_CREATIONS = [
  'createStaticQrCode',
  'createImmediateQrCode',
  'createDueDateQrCode',
] as const

/**
 * Builds a request that the service must accept, and does not send it: of `updateWebhook`,
 * `{ path: { webhook_id: 'wh_1' }, body: { … } }`. The request has new one-time values and uses new records, which this
 * function creates by earlier requests, here the webhook. Undefined if one of these was refused.
 */
export async function prepareValidRequest(
  context: PlanContext,
  operation: string,
  { example = defaultExample(operation), by, optionalParts = [] }: ValidOptions = {},
): Promise<Input | undefined> {
  const input = await buildRequest({
    context,
    operation,
    example,
    by,
    optionalParts,
    waiting: [],
  })
  if (!input) context.noteValid(requestName(operation, example), false)
  return input
}

/**
 * Sends the earlier requests that a draft needs, such as the look-up of a key, and builds the request from
 * the draft and their responses. Undefined if an earlier request was refused.
 */
async function buildRequest(draft: RequestDraft): Promise<Input | undefined> {
  const { context, operation, by } = draft
  const hasBody = context.contract.examples(operation).length > 0
  const bodyOfExample = hasBody ? buildBody(draft) : {}

  // The values of earlier responses, such as `{ path: { webhook_id: 'wh_1' } }`, win over those of the example.
  const preparedValues = await sendEarlierRequests(draft)
  if (!preparedValues) return undefined

  const body = hasBody ? { ...bodyOfExample, ...fieldsOf(preparedValues.body) } : undefined
  return { by, ...preparedValues, body }
}

/** Builds the body of a draft from its example alone. What earlier responses show is added later. */
function buildBody({ context, operation, example, optionalParts }: RequestDraft): Json {
  const body = validBody(context, operation, example)
  return withFields(body, optionalFields(context, operation, optionalParts))
}

/**
 * The same request with new values where a value works only once, so that it can be sent again: a new
 * `tx_id`, or the `initiation_id` of a new look-up. Undefined if the service refuses the look-up.
 *
 * @param keptPointer If this is `/initiation_id`, that value stays as it is.
 */
export async function renewRequest(
  context: PlanContext,
  input: Input,
  keptPointer?: string,
): Promise<Input | undefined> {
  const { tx_id, initiation_id } = fieldsOf(input.body)
  if (tx_id !== undefined) return withNewTxId(context, input, String(tx_id))

  const isLookUpUsed = initiation_id !== undefined && keptPointer !== '/initiation_id'
  return isLookUpUsed ? withNewLookUp(context, input) : input
}

/** So many characters at the start of a tx_id are replaced. */
const RENEWED_LENGTH = 20

/** The request with another tx_id. Its length and its last characters stay, since an edit may be about them. */
function withNewTxId({ uniqueText }: PlanContext, input: Input, tx_id: string): Input {
  const newTxId = uniqueText(RENEWED_LENGTH) + tx_id.slice(RENEWED_LENGTH)
  return { ...input, body: withValue(input.body, '/tx_id', newTxId) }
}

/** Looks up the key of a payment again. Undefined if the service refuses that. */
async function withNewLookUp({ send }: PlanContext, input: Input): Promise<Input | undefined> {
  const { dict_key } = fieldsOf(input.body)
  const { json } = await send('checkKey', { body: { dict_key }, by: input.by })
  const initiation_id = stringAt(json, '/initiation_id')
  if (initiation_id === undefined) return undefined
  return { ...input, body: withValue(input.body, '/initiation_id', initiation_id) }
}

/** Ids and other values by their names: `{ webhook_id: '…' }`. A name without a value is left out. */
type NamedValues = Readonly<Record<string, string>>

/** The name of a valid request in the result: `getUser`, or `createTransfer (example 4)`. */
export function requestName(operation: string, example = defaultExample(operation)): string {
  return example === 0 ? operation : `${operation} (example ${example + 1})`
}

/**
 * Sends the requests that a valid one needs before it. Returns the fields and ids that it takes from
 * them: `{ path: { webhook_id: 'wh_1' } }`, or `{ body: { emv: '0002…', amount: '3.50' }, by: 'payer' }`. Undefined if
 * one was refused.
 */
async function sendEarlierRequests(draft: RequestDraft): Promise<Input | undefined> {
  if (draft.operation === 'createTransfer') return preparePayment(draft)

  const operation = findOperation(draft.context.contract, draft.operation)
  return operation ? prepareIds(draft, operation) : {}
}

/**
 * Finds the ids that a request needs, such as `{ path: { webhook_id: '…' } }`: those that the user sets,
 * else those in the response of another operation, its origin. The contract names the origin, and this
 * function sends it. Undefined if an id is missing.
 */
async function prepareIds(draft: RequestDraft, operation: Operation): Promise<Input | undefined> {
  // Unless the user of the checker sets whom to impersonate, the run looks for somebody.
  const isUserNamed = valueOfUser(draft, 'user_id') !== undefined
  if (operation.id === 'impersonate' && !isUserNamed) return prepareImpersonation(draft)

  // Such as `['webhook_id']`, which `createWebhook` shows.
  const namesInPath = pathParameters(operation)
  const origin = findOrigin(draft, operation, namesInPath)
  // Such as `['emv']`, for a request with a payment code in its body.
  const namesInBody = origin ? namesForBody(origin) : []

  const ids = await findIds(draft, origin, [...namesInPath, ...namesInBody])
  const path = pickValues(ids, namesInPath)
  const body = pickValues(ids, namesInBody)
  if (!path || !body) return undefined
  return { path, body }
}

/** The names of the values that an origin shows for the body of the request that needs it. */
function namesForBody({ values }: Origin): string[] {
  return values.filter((value) => value.in === 'body').map(({ name }) => name)
}

/**
 * Finds ids by their names: those that the user of the checker sets, and the others by sending the origin, the
 * operation whose response shows them. Ids that nobody knows are left out.
 */
async function findIds(
  draft: RequestDraft,
  origin: Origin | undefined,
  names: readonly string[],
): Promise<NamedValues> {
  const idsOfUser: Record<string, string> = {}
  for (const name of names) {
    const value = valueOfUser(draft, name)
    if (value !== undefined) idsOfUser[name] = value
  }

  const doesUserSetAll = names.every((name) => name in idsOfUser)
  if (doesUserSetAll || !origin) return idsOfUser
  return { ...(await sendOrigin(draft, origin)), ...idsOfUser }
}

/** The values of these names, without any others. Undefined if one has no value. */
function pickValues(values: NamedValues, names: readonly string[]): NamedValues | undefined {
  const picked: Record<string, string> = {}
  for (const name of names) {
    const value = values[name]
    if (value === undefined) return undefined
    picked[name] = value
  }
  return picked
}

/**
 * Finds a customer to impersonate. Not simply that of the first user, which may have none, or one for whom nobody may
 * act. Returns `{ body: { user_id, customer_id } }`; undefined if no user has a customer.
 */
async function prepareImpersonation({ context, by }: RequestDraft): Promise<Input | undefined> {
  const user = await findUser(context.send, by)
  const customer_id = stringAt(user?.shown, '/customers/0/id')
  if (!user || customer_id === undefined) return undefined
  return { body: { user_id: user.user_id, customer_id } }
}

function pathParameters({ parameters }: Operation): string[] {
  return parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
}

/**
 * Chooses the operation to send before a request, whose response shows the ids that the request needs in its path:
 * `createWebhook` before `getWebhook`. Where several create codes, it is the one for the code of the example.
 * Undefined if none shows all ids.
 */
function findOrigin(
  { example, waiting }: RequestDraft,
  { origins }: Operation,
  namesInPath: readonly string[],
): Origin | undefined {
  const usableOrigins: Origin[] = []
  for (const origin of origins) {
    // To prepare it, this request would be sent first, and so on without an end.
    const isWaiting = waiting.includes(origin.from)
    if (!isWaiting && showsAll(origin, namesInPath)) usableOrigins.push(origin)
  }
  // The examples of requests with a code are in the order of these creations.
  const codeCreation = CODE_CREATIONS[example]
  return usableOrigins.find(({ from }) => from === codeCreation) ?? usableOrigins[0]
}

/** Whether an operation shows the values of all these names. */
function showsAll({ values }: Origin, names: readonly string[]): boolean {
  return names.every((name) => values.some((value) => value.name === name))
}

/**
 * Sends the operation that shows ids. Returns them by their names in the request that needs them:
 * `{ webhook_id: 'wh_1' }`, which the response has at `/id`. Empty if that operation could not be built.
 */
async function sendOrigin(draft: RequestDraft, origin: Origin): Promise<NamedValues> {
  const { from, values } = origin
  const input = await buildRequest(draftOfOrigin(draft, origin))
  if (!input) return {}

  const { json } = await draft.context.send(from, input)
  const ids: Record<string, string> = {}
  for (const value of values) {
    const id = readOriginValue(value, input, json)
    if (id !== undefined) ids[value.name] = id
  }
  return ids
}

/** Reads a value from an operation that was sent: from the path, the body or the response, where the contract has it. */
function readOriginValue(
  { name, side, pointer }: Origin['values'][number],
  input: Input,
  json: unknown,
): string | undefined {
  // An id in the path is the same in the request that needs it.
  const idInPath = input.path?.[name]
  if (idInPath !== undefined) return idInPath

  const message = side === 'request' ? input.body : json
  return stringAt(message, pointer)
}

/** The draft of an operation that is sent before the one of `draft`. */
function draftOfOrigin(draft: RequestDraft, { from }: Origin): RequestDraft {
  // The partner creates the code, whoever checks it, since a customer may own no key.
  const isForCheck = draft.operation === 'checkCode'
  return {
    context: withIdsOfUser(draft, from),
    operation: from,
    example: defaultExample(from),
    by: isForCheck ? undefined : draft.by,
    optionalParts: [],
    // So that preparing this operation does not send the other one first again, and so on.
    waiting: [...draft.waiting, draft.operation],
  }
}

/**
 * The context for the operation `from`, which is sent before a request. The ids that the user of the checker has set
 * for the request hold in the path of `from` too: with `impersonate/user_id=7`, the `getUser` before it also has
 * `user_id=7`. A value that the user has set for `from` itself wins.
 */
function withIdsOfUser(draft: RequestDraft, from: string): PlanContext {
  const { context } = draft
  const operation = findOperation(context.contract, from)
  if (!operation) return context

  const idsByPointer: Record<string, unknown> = {}
  for (const name of pathParameters(operation)) {
    const id = valueOfUser(draft, name)
    if (id !== undefined) idsByPointer[`/${name}`] = id
  }
  const values = { ...context.values, [from]: { ...idsByPointer, ...context.values[from] } }
  return { ...context, values }
}

/** A value that the user sets for the operation, in its path or body. */
function valueOfUser({ context, operation }: RequestDraft, name: string): string | undefined {
  const value = context.values[operation]?.[`/${name}`]
  return typeof value === 'string' ? value : undefined
}

/**
 * Creates a record, by default that of the first example. Returns its id, and the payment code `emv`
 * of a QR code. Both are undefined if the service refused it.
 */
export async function createRecord(
  context: PlanContext,
  operation: string,
  { body = validBody(context, operation), by }: Pick<Input, 'body' | 'by'> = {},
): Promise<{ readonly id: string | undefined; readonly emv: string | undefined }> {
  const { json } = await context.send(operation, { body, by })
  return { id: stringAt(json, '/id'), emv: stringAt(json, '/emv') }
}

/**
 * Sends what a transfer needs before it: a new code and its check, or the look-up of a key. The first three examples
 * pay a code of each kind, and the others a key.
 */
function preparePayment(draft: RequestDraft): Promise<Input | undefined> {
  const creation = CODE_CREATIONS[draft.example]
  return creation ? prepareCodePayment(draft, creation) : prepareKeyPayment(draft)
}

/** Amounts of codes that are paid: a run pays many, and a customer may have little money. */
const CHEAP_AMOUNTS: Readonly<Record<string, Json>> = {
  createStaticQrCode: { '/amount': '3.50' },
  createImmediateQrCode: { '/amount/original': '3.50' },
}

/**
 * Prepares the payment of a code: creates the code as the partner, and checks as its payer how much to pay. Returns
 * the unsent transfer, `{ body: { emv: '0002…', amount: '3.50' }, by: 'payer' }`; undefined if one was refused.
 */
async function prepareCodePayment(
  { context, by = 'payer', optionalParts }: RequestDraft,
  creation: string,
): Promise<Input | undefined> {
  const cheapBody = withFields(validBody(context, creation), {
    ...CHEAP_AMOUNTS[creation],
    ...userFields(context, creation),
  })
  const { emv } = await createRecord(context, creation, { body: cheapBody })
  if (emv === undefined) return undefined

  const { json } = await checkCode(context, emv, by)
  const amount = stringAt(json, '/final_amount')
  if (amount === undefined) return undefined

  const hasBeneficiary = optionalParts.includes(BENEFICIARY)
  const optional = hasBeneficiary ? { beneficiary: beneficiaryOfCode(json) } : {}
  return { body: { emv, amount, ...optional }, by }
}

/** Checks a code as who pays it. If that is the payer of codes, it may be somebody else from then on. */
function checkCode(context: PlanContext, emv: string, by: Sender): Promise<Outcome> {
  return by === 'payer'
    ? checkAsPayer(context, emv)
    : context.send('checkCode', { body: { emv }, by })
}

/** The beneficiary of a payment to a code, as the check of the code shows it: `{ name, ispb, account_type, tax_id }`. */
function beneficiaryOfCode(check: unknown): Json {
  const { name, ispb, account_type, tax_id } = fieldsOf(fieldsOf(check).beneficiary)
  // A service may not accept a tax ID that it masks.
  if (isMaskedTaxId(String(tax_id))) return { name, ispb, account_type }
  return { name, ispb, account_type, tax_id }
}

/**
 * Prepares the payment of a key: looks it up as the payer, which issues the `initiation_id` that the payment needs.
 * Returns the unsent transfer, `{ body: { amount: '0.01', initiation_id, dict_key }, by: 'partner' }`; undefined if
 * the look-up was refused.
 */
async function prepareKeyPayment(draft: RequestDraft): Promise<Input | undefined> {
  const { context, operation, example, optionalParts } = draft
  const by = findPayer(context, draft.by)
  // The first examples of createTransfer pay codes, the next ones the keys of the checkKey examples.
  const body = validBody(context, 'checkKey', example - CODE_CREATIONS.length)
  const { json } = await context.send('checkKey', { body, by })
  const initiation_id = stringAt(json, '/initiation_id')
  const dict_key = stringAt(json, '/dict_key')
  if (initiation_id === undefined) return undefined

  // The smallest, unless the user of the checker sets another one.
  const amount = context.values[operation]?.['/amount'] ?? SMALLEST_AMOUNT
  const hasBeneficiary = optionalParts.includes(BENEFICIARY)
  const optional = hasBeneficiary ? { beneficiary: beneficiaryOfKey(json) } : {}
  return { body: { amount, initiation_id, dict_key, ...optional }, by }
}

/**
 * Checks the key with which the partner creates codes, and builds the smallest payment of that key.
 * Undefined if the check issues no `initiation_id`.
 */
export async function preparePartnerKeyPayment(
  context: PlanContext,
  payer?: Sender,
): Promise<Input | undefined> {
  const by = findPayer(context, payer)
  const { dict_key } = validBody(context, 'createStaticQrCode')
  const { json } = await context.send('checkKey', { body: { dict_key }, by })
  const initiation_id = stringAt(json, '/initiation_id')
  if (initiation_id === undefined) return undefined
  return { body: { type: 'dict', amount: SMALLEST_AMOUNT, initiation_id, dict_key }, by }
}

/**
 * Looks up the tax ID of the owner of an account as a key, and builds a payment of that key without an amount:
 * `{ body: { type: 'dict', initiation_id, dict_key }, by }`. Undefined if it is no key, or the key of another account.
 *
 * @param by Who pays. Default: the partner.
 */
export async function preparePaymentToOwner(
  { send }: PlanContext,
  owner: { readonly taxId: string; readonly account: string | undefined },
  by?: Sender,
): Promise<Input | undefined> {
  const dict_key = owner.taxId
  const { json } = await send('checkKey', { body: { dict_key }, by })
  const initiation_id = stringAt(json, '/initiation_id')
  const isKeyOfAccount = stringAt(json, '/account_number') === owner.account
  if (!isKeyOfAccount || initiation_id === undefined) return undefined
  return { body: { type: 'dict', initiation_id, dict_key }, by }
}

/**
 * Who sends the payment of an identity, and so looks up the key before it: `partner` for the partner itself, or
 * `substitute`, a customer who acts for it, if the service lets only customers pay.
 */
function findPayer({ contract, identities }: PlanContext, by: Sender = 'partner'): Sender {
  const operation = findOperation(contract, 'createTransfer')
  return operation ? identities.chooseActor(by, operation) : by
}

/** The beneficiary of a payment to a key, as the check of the key shows it. */
function beneficiaryOfKey(check: unknown): Json {
  const { owner_name, ispb, account_type, branch, account_number } = fieldsOf(check)
  return { name: owner_name, ispb, account_type, branch, account_number }
}

const SMALLEST_AMOUNT = '0.01'

/** More than any account holds. A service may take no amount with ten digits. */
export const TOO_MUCH = ['9999999999.99', '999999999.99']

/** A transfer with another amount. */
export function withAmount(input: Input, amount: string): Input {
  return { ...input, body: { ...fieldsOf(input.body), amount } }
}
