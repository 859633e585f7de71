import { createPayments, type Payments } from '@partner-payments/client'
import type { Values } from '@partner-payments/command'
import { isObject, visible } from '@partner-payments/contract'
import { FIRST_PARTNER } from '@partner-payments/sandbox/first-partner'
import type { WebhookEvent } from '@partner-payments/webhooks'
import { type Control, createControl, readSandboxConnection } from './control.ts'
import { CliError, refuse } from './errors.ts'
import { readFields, type Settable } from './fields.ts'
import { callService } from './service.ts'
import { EVENT_NAMES, type TRIGGER } from './tables.ts'
import { visibleJson, write } from './terminal.ts'

type TriggerFlags = Values<typeof TRIGGER.options>

/**
 * Fields of the triggered request, of which these have defaults here. All of them, such as `amount`,
 * match the schema of the request, against which they were read.
 */
interface Fields {
  readonly dict_key?: string
  readonly tx_id?: string
}

interface Step {
  readonly payments: Payments
  readonly fields: Fields
  readonly control: Control
}

/** A summary for the terminal. */
interface Done {
  readonly id: string
  readonly status: string
}

/** The action that causes an event, which the sandbox then delivers like any other one. */
interface Trigger {
  /** Absent: no field can be set. */
  readonly settable?: Settable
  cause(step: Step): Promise<Done>
}

/** The name of an event of the contract. */
type EventName = WebhookEvent['type']

const TRANSFER: Settable = { schema: 'DictTransferRequest', except: ['type', 'initiation_id'] }
const CHARGE: Settable = { schema: 'ImmediateQrCodeRequest', names: { amount: 'amount.original' } }
const STATIC_CODE: Settable = { schema: 'StaticQrCodeRequest' }

/** What causes an event. Of one that is missing here, the sandbox delivers the example. */
const TRIGGERS: Readonly<Partial<Record<EventName, Trigger>>> = {
  'transfer.settled': {
    settable: TRANSFER,
    cause: (step) => pay(step, 'beltrana@example.com'),
  },
  'transfer.rejected': {
    settable: TRANSFER,
    async cause(step) {
      const key = await findRejectedKey(step)
      return pay(step, key)
    },
  },
  'transfer.received': {
    settable: STATIC_CODE,
    async cause(step) {
      const { id } = await createStaticCode(step)
      await payFromOutside(step, id)
      return { id, status: 'paid' }
    },
  },
  'qrcode.paid': {
    settable: CHARGE,
    async cause(step) {
      const { id } = await createCharge(step)
      const { status } = await payFromOutside(step, id)
      return { id, status: String(status) }
    },
  },
  'qrcode.cancelled': {
    settable: CHARGE,
    async cause(step) {
      const { id } = await createCharge(step)
      const cancelled = await step.payments.qrcodes.cancelImmediate(id)
      return { id, status: String(cancelled?.status) }
    },
  },
}

/**
 * Causes an event in a sandbox, which then delivers it to its webhooks, and prints what was done.
 *
 * @throws {UsageError} if there is no such event, or a field of `--set` is wrong
 */
export async function triggerCommand(name: string, flags: TriggerFlags): Promise<void> {
  if (!isEvent(name))
    return refuse(`"${visible(name)}" is not an event. Choose one of ${EVENT_NAMES.join(', ')}.`)

  const trigger = TRIGGERS[name] ?? createSampleTrigger(name)
  const fields = await readFields(flags.set ?? [], trigger.settable)
  const control = createControl(flags)
  const payments = createPayments(readSandboxConnection(flags, control))
  await control.requireSandbox()

  const cause = trigger.cause({ payments, control, fields })
  const record = await callService(flags.target, cause)
  if (flags.json) write(visibleJson({ event: name, ...record }))
  else write(`${name}: ${visible(record.id)} is ${visible(record.status)}`)
}

function isEvent(name: string): name is EventName {
  return EVENT_NAMES.includes(name)
}

/**
 * The trigger of an event that no action causes: the sandbox delivers the example of the contract.
 */
function createSampleTrigger(name: EventName): Trigger {
  return {
    async cause({ control }) {
      const { id } = await control.post(`/events/${name}`)
      return { id: String(id), status: 'delivered as the example of the contract' }
    },
  }
}

/**
 * Pays the key that `--set dict_key=…` names, or else `key`: 10.00, unless `--set` says otherwise.
 */
async function pay({ payments, fields, control }: Step, key: string): Promise<Done> {
  const { dict_key = key, ...others } = fields
  const payee = await payments.keys.check(dict_key)
  await control.requireSandbox()
  const { id, status } = await payee.pay({ amount: '10.00', ...others })
  return { id, status }
}

/** A key of the sandbox whose transfers are rejected, such as `ab03@reject.example.com`. */
async function findRejectedKey({ control }: Step): Promise<string> {
  // The values that make a transfer be rejected, and the reasons.
  const { keys } = await control.get('/magic')
  const [first]: unknown[] = Array.isArray(keys) ? keys : []
  if (isObject(first) && typeof first.dict_key === 'string') return first.dict_key
  throw new CliError('The sandbox has no key whose transfers are rejected.')
}

/** Pays a QR code as somebody at another institution. */
function payFromOutside({ control }: Step, id: string): Promise<Readonly<Record<string, unknown>>> {
  return control.post(`/qrcodes/${id}/pay`)
}

/** A key of the account that is paid. */
const PARTNER_KEY = FIRST_PARTNER.dict_key

async function createStaticCode({ payments, fields }: Step): Promise<{ id: string }> {
  const { dict_key = PARTNER_KEY, ...others } = fields
  return payments.qrcodes.createStatic({ dict_key, amount: '35.90', ...others })
}

/**
 * Creates an immediate QR code with the fields of the command, and defaults for the required ones.
 */
async function createCharge({ payments, fields }: Step): Promise<{ id: string }> {
  const { dict_key = PARTNER_KEY, tx_id = newTxId(), ...others } = fields
  return payments.qrcodes.createImmediate({
    dict_key,
    tx_id,
    amount: { original: '35.90' },
    ...others,
  })
}

function newTxId(): string {
  const hex = crypto.randomUUID().replaceAll('-', '')
  return `TRIGGER${hex.slice(0, 24)}`
}
