import { fieldsOf } from '../../src/contract/json.ts'
import type { ShownBalances } from '../../src/history.ts'
import { call } from './call.ts'
import type { Json, Manner, Step } from './story.ts'
import { codeOf, example, location, txId } from './values.ts'

/** Lists the users of the partner, also by another method. */
export function listUsers(shows: Json = {}, manner: Manner = {}, method = 'GET'): Step {
  const shown = method === 'HEAD' ? '' : example('partnerUsers')
  return call(`${method} /partner/user`, undefined, shown, { shows, ...manner })
}

/** Reads the user of the examples, or another one, as the partner. */
export function readUser(shows: Json = {}, id?: string): Step {
  const user = example('userWithCustomers')
  const { user_id = id } = id === undefined ? user : {}
  const shown = { ...user, user_id, user: { ...fieldsOf(user.user), id: user_id } }
  return call(`GET /partner/user/${user_id}`, undefined, shown, { shows })
}

/** Looks up the key of the examples, or what is sent. */
export function lookUp(shows: Json = {}, manner: Manner & { sent?: Json | string } = {}): Step {
  const { sent = { dict_key: 'beltrana@example.com' } } = manner
  return call('POST /pix/dict/check/', sent, example('emailKey'), { shows, ...manner })
}

/** Checks the payment code of the first record, an immediate QR code. */
export function check(shows: Json = {}, manner: Manner & { emv?: string } = {}): Step {
  const { emv = codeOf(1) } = manner
  const response = {
    ...example('immediateCode'),
    tx_id: txId('immediateQrCode', 1),
    url: location(1),
  }
  return call('POST /pix/brcode/emv/', { emv }, response, { shows, ...manner })
}

/** How a code is paid. */
interface CodeManner extends Manner {
  /** Default: the code of the first record. */
  readonly emv?: string
  /** Default: that of the examples. */
  readonly amount?: string
}

/** A customer pays the payment code of the first record. */
export function payCode(shows: Json = {}, manner: CodeManner = {}): Step {
  const { emv = codeOf(1), amount = '35.90' } = manner
  const response = example('immediatePending')
  const body = { type: 'emv', emv, amount }
  return call('POST /pix/out/', body, response, { by: 'customer', shows, ...manner })
}

/** A customer pays a code by a transfer with an id of its own, which is pending or has ended. */
export function payCodeAs(status: string, manner: CodeManner = {}): Step {
  const id = crypto.randomUUID()
  const pending = fieldsOf(example('immediatePending').data)
  const data = { ...pending, id, status, ...endFields(status) }
  return payCode({ id, status, data }, manner)
}

/** A customer pays a code by a pending transfer, whose payment has this id at every institution. */
export function payCodePending(end_to_end_id: string, manner: CodeManner = {}): Step {
  const id = crypto.randomUUID()
  const pending = fieldsOf(example('immediatePending').data)
  return payCode({ id, data: { ...pending, id, end_to_end_id } }, manner)
}

/** What the data of a transfer shows of its end. */
export function endFields(status: string): Json {
  if (status === 'settled') return { settled_at: '2026-11-02T14:30:00.000Z' }
  if (status !== 'rejected') return {}
  return { rejection_message: 'AC03', settled_at: '' }
}

/** The payment of a code by `payCode`, as its receiver sees it. */
export const PAYMENT = fieldsOf(fieldsOf(example('qrCodePaidEvent').data).payment)

/** Pays the key of the examples, as a transfer with other data. */
export function payKey(sent: Json = {}, data: Json = {}, manner: Manner = {}): Step {
  const body = { ...example('payKey'), ...sent }
  const settled = example('keySettled')
  const response = { ...settled, data: { ...fieldsOf(settled.data), ...data } }
  return call('POST /pix/out/', body, response, manner)
}

/**
 * A look at the balances of a sandbox: those of the payer and the receiver of the examples, and how
 * transfers ended.
 */
export function balances(
  payer: string,
  receiver = '100.00',
  ended: Partial<ShownBalances> = {},
): Step {
  return (story) => {
    story.events.push({
      type: 'balances',
      sentAt: story.now,
      completeAt: story.now + 1,
      accounts: { [PAYER_ACCOUNT]: payer, receiver },
      rejected: [],
      isPending: false,
      ...ended,
    })
    story.now += 2
  }
}

/** The account of the payer in the examples. */
const PAYER_ACCOUNT = 'a4c26fae-7b74-4a7e-a5e0-8f2917a1a87e'
