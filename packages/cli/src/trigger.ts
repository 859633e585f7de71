import type { Payments } from '@partner-payments/client'
import { visible } from '@partner-payments/contract'
import type { WebhookEvent } from '@partner-payments/webhooks'
import { type Control, controlOf } from './control.ts'
import { CliError, refuse } from './errors.ts'
import { readFields, type Settable } from './fields.ts'
import { callService, connect, type SandboxFlags } from './service.ts'
import { visibleJson, write } from './terminal.ts'

interface TriggerFlags extends SandboxFlags {
  readonly set?: readonly string[]
}

/**
 * Fields of the triggered request. They match the schema of the event, which the types do not show.
 */
interface Fields {
  readonly dict_key?: string
  readonly tx_id?: string
  readonly amount?: never
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

/** An event, and the action that causes it; the sandbox then delivers it like any other event. */
interface Event {
  readonly settable: Settable
  cause(step: Step): Promise<Done>
}

/** The name of an event of the contract. */
type EventName = WebhookEvent['type']

const TRANSFER: Settable = { schema: 'DictTransferRequest', except: ['type', 'initiation_id'] }
const CHARGE: Settable = { schema: 'ImmediateQrCodeRequest', names: { amount: 'amount.original' } }
const STATIC_CODE: Settable = { schema: 'StaticQrCodeRequest' }

/** Each event of the contract. One that is missing here does not compile. */
export const EVENTS: Readonly<Record<EventName, Event>> = {
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

export async function triggerCommand(name: string, flags: TriggerFlags): Promise<void> {
  if (!isEvent(name))
    return refuse(
      `"${visible(name)}" is not an event. Choose one of ${Object.keys(EVENTS).join(', ')}.`,
    )

  const event = EVENTS[name]
  const fields = await readFields(flags.set ?? [], event.settable)
  const payments = connect(flags)
  const control = controlOf(flags)
  await control.requireSandbox()

  const done = await callService(flags.target, event.cause({ payments, control, fields }))
  if (flags.json) write(visibleJson({ event: name, ...done }))
  else write(`${name}: ${visible(done.id)} is ${visible(done.status)}`)
}

function isEvent(name: string): name is EventName {
  return Object.hasOwn(EVENTS, name)
}

async function pay({ payments, fields, control }: Step, key: string): Promise<Done> {
  const { dict_key = key, ...others } = fields
  const payee = await payments.keys.check(dict_key)
  await control.requireSandbox()
  const { id, status } = await payee.pay({ amount: '10.00', ...others })
  return { id, status }
}

/** A key of the sandbox whose transfers are rejected. */
async function findRejectedKey({ control }: Step): Promise<string> {
  const magic = (await control.get('/magic')) as { keys: readonly { dict_key: string }[] }
  const [first] = magic.keys
  if (!first) throw new CliError('The sandbox has no key whose transfers are rejected.')
  return first.dict_key
}

/** Pays a QR code as somebody at another institution. */
function payFromOutside({ control }: Step, id: string): Promise<Readonly<Record<string, unknown>>> {
  return control.post(`/qrcodes/${id}/pay`)
}

/** The key of the partner in the seed data of the sandbox. */
const OWN_KEY = '12ABC34501DE35'

async function createStaticCode({ payments, fields }: Step): Promise<{ id: string }> {
  const { dict_key = OWN_KEY, ...others } = fields
  return payments.qrcodes.createStatic({ dict_key, amount: '35.90', ...others })
}

async function createCharge({ payments, fields }: Step): Promise<{ id: string }> {
  const { dict_key = OWN_KEY, tx_id = newTxId(), ...others } = fields
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
