import type { Payments } from '@partner-payments/client'
import { CliError, callService, connect, type ServiceFlags, urlOf } from './service.ts'

interface TriggerFlags extends ServiceFlags {
  readonly set: readonly string[]
}

/** Fields of the triggered request by name. `amount` is the amount of a transfer or a charge. */
type Fields = Readonly<Record<string, string>>

interface Step {
  readonly payments: Payments
  readonly fields: Fields
  /** Calls the control API of the sandbox. */
  control(method: string, path: string): Promise<Record<string, unknown>>
}

/** A summary for the terminal. */
interface Done {
  readonly id: string
  readonly status: string
}

/** The action that causes each event; the sandbox then delivers it like any other event. */
export const EVENTS: Readonly<Record<string, (step: Step) => Promise<Done>>> = {
  'transfer.settled': (step) => pay(step, 'beltrana@example.com'),
  'transfer.rejected': async (step) => pay(step, await rejectedKey(step)),
  'qrcode.paid': async (step) => {
    const { id } = await charge(step)
    const { status } = await step.control('POST', `/qrcodes/${id}/pay`)
    return { id, status: String(status) }
  },
  'qrcode.cancelled': async (step) => {
    const { id } = await charge(step)
    const { status } = await step.payments.qrcodes.cancelImmediate(id)
    return { id, status: String(status) }
  },
}

export async function triggerCommand(event: string, flags: TriggerFlags): Promise<void> {
  const cause = EVENTS[event]
  if (!cause)
    throw new CliError(`"${event}" is not an event. Choose one of ${Object.keys(EVENTS).join(', ')}.`)
  const fields = fieldsOf(flags.set)
  const payments = connect(flags)
  const control = controlOf(flags.target)
  await control('GET', '/clock')
  const done = await callService(flags.target, cause({ payments, control, fields }))
  const text = flags.json ? JSON.stringify({ event, ...done }) : `${event}: ${done.id} is ${done.status}`
  process.stdout.write(`${text}\n`)
}

function fieldsOf(set: readonly string[]): Fields {
  return Object.fromEntries(
    set.map((it) => {
      const at = it.indexOf('=')
      if (at < 1) throw new CliError(`--set needs field=value, as in --set amount=12.50; got "${it}".`)
      return [it.slice(0, at), it.slice(at + 1)]
    }),
  )
}

async function pay({ payments, fields }: Step, key: string): Promise<Done> {
  const { dict_key = key, amount = '10.00', ...others } = fields
  const payee = await payments.keys.check(dict_key)
  const { id, status } = await payee.pay({ amount, ...others })
  return { id, status }
}

/** A key of the sandbox whose transfers are rejected. */
async function rejectedKey({ control }: Step): Promise<string> {
  const { keys } = (await control('GET', '/magic')) as { keys: readonly { dict_key: string }[] }
  const [first] = keys
  if (!first) throw new CliError('The sandbox has no key whose transfers are rejected.')
  return first.dict_key
}

async function charge({ payments, fields }: Step): Promise<{ id: string }> {
  const { dict_key = '12ABC34501DE35', tx_id = newTxId(), amount = '35.90', ...others } = fields
  return payments.qrcodes.createImmediate({ dict_key, tx_id, amount: { original: amount }, ...others })
}

function newTxId(): string {
  return `TRIGGER${crypto.randomUUID().replaceAll('-', '').slice(0, 24)}`
}

/** Timeout of the control API in milliseconds. */
const TIMEOUT = 10_000

function controlOf(target: string): Step['control'] {
  const base = urlOf(target, '--target').href.replace(/\/$/, '')
  return async (method, path) => {
    const response = await fetchControl(`${base}/_sandbox${path}`, method, target)
    const body = (await response.json().catch(() => ({}))) as Record<string, unknown>
    if (response.ok) return body
    if (response.status === 404 && path === '/clock')
      throw new CliError(
        `${target} is not a sandbox with its control API: trigger works on the sandbox only.`,
      )
    throw new CliError(
      `${target} refused ${method} /_sandbox${path} (${response.status}): ${String(body.detail ?? '')}`,
    )
  }
}

async function fetchControl(url: string, method: string, target: string): Promise<Response> {
  try {
    return await fetch(url, { method, signal: AbortSignal.timeout(TIMEOUT) })
  } catch (cause) {
    throw new CliError(
      `${target} does not respond. Start a sandbox with \`partner-payments sandbox\`, or set --target.`,
      { cause },
    )
  }
}
