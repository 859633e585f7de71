import { control, createQrCode, payKey, registerReceiver } from './api.ts'
import { money } from './format.ts'
import { say } from './say.ts'
import { byId, readMessage } from './view.ts'

/** What a button or form does, by its `data-action`. Resolves with a message for the user. */
type Action = (element: HTMLElement) => Promise<string>

const ACTIONS: Readonly<Record<string, Action>> = {
  async freeze({ dataset }) {
    const freeze = dataset.frozen !== 'true'
    await control('POST', '/clock', { freeze })
    return freeze ? 'The clock stands still.' : 'The clock runs.'
  },
  async advance({ dataset }) {
    await control('POST', '/clock', { advance_seconds: Number(dataset.seconds) })
    return 'The clock moved on, and what became due was done.'
  },
  async resetClock() {
    await control('POST', '/clock', { reset: true })
    return 'The clock shows the system time.'
  },
  async reset() {
    const isConfirmed = confirm(RESET_QUESTION)
    if (!isConfirmed) return ''
    await control('POST', '/reset')
    return 'Everything is as at the start.'
  },
  async pay({ dataset }) {
    await control('POST', `/qrcodes/${encodeURIComponent(dataset.id ?? '')}/pay`)
    return 'Paid from outside.'
  },
  async redeliver({ dataset }) {
    await control('POST', '/deliveries/redeliver', {
      event_id: dataset.event,
      webhook_id: dataset.webhook,
    })
    return 'The sandbox sends it again.'
  },
  async payKey(form) {
    await payKey(readValue(form, 'dict_key'), readAmount(form))
    return 'Accepted. The transfer settles in a moment.'
  },
  async addKey(form) {
    const dict_key = readValue(form, 'dict_key')
    const name = readValue(form, 'name')
    await control('POST', '/keys', { dict_key, name, tax_id: readValue(form, 'tax_id') })
    return `The directory has ${dict_key}. Pay it, or a code for it.`
  },
  async createQrCode(form) {
    await createQrCode(readAmount(form))
    return 'The QR code is under “QR codes”.'
  },
  async bePaid(button) {
    const id = await createQrCode(readAmount(button.closest('form') ?? button))
    await control('POST', `/qrcodes/${encodeURIComponent(id)}/pay`)
    return 'Paid from another institution.'
  },
  async receive() {
    await registerReceiver()
    return 'Registered. Pay or be paid, and look under “Webhooks”.'
  },
  async fault({ dataset, textContent }) {
    await control('POST', '/faults', JSON.parse(dataset.rule ?? ''))
    return `Set: ${textContent}.`
  },
  async removeFault({ dataset }) {
    await control('DELETE', `/faults/${encodeURIComponent(dataset.id ?? '')}`)
    return 'The fault rule is removed.'
  },
  async deposit(form) {
    const amount = readAmount(form)
    const id = encodeURIComponent(form.dataset.id ?? '')
    await control('POST', `/accounts/${id}/deposit`, { amount })
    return `Deposited ${money(amount)}.`
  },
  async copy({ dataset }) {
    await navigator.clipboard.writeText(byId(dataset.from ?? '').textContent ?? '')
    return 'Copied.'
  },
}

const RESET_QUESTION =
  'Remove everything that was created here, restore the seed data, and set the clock back?'

function readValue(form: Element, name: string): string {
  return String(new FormData(form as HTMLFormElement).get(name)).trim()
}

/** Completes an amount for the contract: `25` becomes `25.00`. */
function readAmount(form: Element): string {
  const text = readValue(form, 'amount').replace(',', '.')
  return /^\d+$/.test(text) ? `${text}.00` : text
}

/**
 * Handles all buttons and forms that have a `data-action` with one listener each, so elements that
 * are drawn later work too. After each action the page shows its message and the new state.
 */
export function listenForActions(refresh: () => Promise<void>): void {
  const running = new Set<HTMLElement>()
  const act = async (element: HTMLElement) => {
    if (running.has(element)) return
    running.add(element)
    say(await runAction(element))
    await refresh()
    running.delete(element)
  }
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element)) return
    const button = target.closest<HTMLElement>('button[data-action]')
    if (button) void act(button)
  })
  document.addEventListener('submit', (event) => {
    event.preventDefault()
    const form = event.target
    if (form instanceof HTMLElement && form.dataset.action) void act(form)
  })
}

/** Runs the action of a button or form, and returns the message for the user. Never rejects. */
async function runAction(element: HTMLElement): Promise<string> {
  const action = ACTIONS[element.dataset.action ?? '']
  if (!action) return ''
  try {
    return await action(element)
  } catch (error) {
    return `Not done: ${readMessage(error)}`
  }
}
