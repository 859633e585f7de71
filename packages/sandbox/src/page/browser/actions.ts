import { post } from './api.ts'
import { byId } from './element.ts'
import { money } from './format.ts'
import { say } from './say.ts'

/** What a button or a form does, by its `data-action`; what it answers is told to the person. */
type Action = (element: HTMLElement) => Promise<string>

const ACTIONS: Readonly<Record<string, Action>> = {
  async freeze({ dataset }) {
    const freeze = dataset.frozen !== 'true'
    await post('/clock', { freeze })
    return freeze ? 'The clock stands still.' : 'The clock runs.'
  },
  async advance({ dataset }) {
    await post('/clock', { advance_seconds: Number(dataset.seconds) })
    return 'The clock moved on, and what became due was done.'
  },
  async resetClock() {
    await post('/clock', { reset: true })
    return 'The clock shows the system time.'
  },
  async reset() {
    if (!confirm('Remove everything that was created here, restore the seed data, and set the clock back?'))
      return ''
    await post('/reset')
    return 'Everything is as at the start.'
  },
  async pay({ dataset }) {
    await post(`/qrcodes/${encodeURIComponent(dataset.id ?? '')}/pay`)
    return 'Paid from outside.'
  },
  async redeliver({ dataset }) {
    await post('/deliveries/redeliver', { event_id: dataset.event, webhook_id: dataset.webhook })
    return 'It is sent again.'
  },
  async deposit(form) {
    const amount = String(new FormData(form as HTMLFormElement).get('amount')).trim()
    await post(`/accounts/${encodeURIComponent(form.dataset.id ?? '')}/deposit`, { amount })
    return `Deposited ${money(amount)}.`
  },
  async copy({ dataset }) {
    await navigator.clipboard.writeText(byId(dataset.from ?? '').textContent ?? '')
    return 'Copied.'
  },
}

/** Does what buttons and forms ask for, with one listener each: what is drawn later is heard too. */
export function listenForActions(refresh: () => Promise<void>): void {
  const running = new Set<HTMLElement>()
  const act = async (element: HTMLElement) => {
    if (running.has(element)) return
    running.add(element)
    say(await told(element))
    await refresh()
    running.delete(element)
  }
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('button[data-action]') : null
    if (button) void act(button)
  })
  document.addEventListener('submit', (event) => {
    event.preventDefault()
    if (event.target instanceof HTMLElement) void act(event.target)
  })
}

async function told(element: HTMLElement): Promise<string> {
  try {
    return (await ACTIONS[element.dataset.action ?? '']?.(element)) ?? ''
  } catch (error) {
    return `Not done: ${error instanceof Error ? error.message : String(error)}`
  }
}
