import { count, until } from './format.ts'
import type { Fault } from './state.ts'
import { hidden, html, note, type View } from './view.ts'

/** Faults with a button. Those with `seconds` end by themselves, the others with the request they affect. */
export const PRESETS: readonly { readonly label: string; readonly rule: object }[] = [
  { label: 'Next transfer is rejected', rule: { kind: 'reject_transfer' } },
  { label: 'Deliveries fail for a minute', rule: { kind: 'fail_deliveries', seconds: 60 } },
  { label: 'Slow by 3 s for a minute', rule: { kind: 'latency', ms: 3_000, seconds: 60 } },
  {
    label: 'Next transfer: 500 after the work is done',
    rule: { kind: 'status', status: 500, after: true, operation: 'createTransfer' },
  },
]

/** Shows the buttons and the active rules. `now` is the time of the sandbox. */
export function faultsView(faults: readonly Fault[], now: number): View {
  const active = faults.filter(({ ends_at }) => !ends_at || Date.parse(ends_at) > now)
  const buttons = PRESETS.map(
    ({ label }, i) => html`<button type="button" data-action="fault" data-preset=${i}>${label}</button>`,
  )
  return html`<div class="card">
    <div class="buttons">${buttons}</div>
    ${
      active.length === 0
        ? note('No fault rule is active.')
        : html`<ul class="rules" aria-label="Active fault rules">${active.map((it) => ruleView(it, now))}</ul>`
    }
  </div>`
}

function ruleView(fault: Fault, now: number): View {
  const { id } = fault
  const text = wordsOf(fault)
  const which = hidden(` the rule ${text} ${id}`)
  return html`<li key=${id}>
    <div><strong>${text}</strong><span class="soft"> · ${leftOf(fault, now)}</span></div>
    <button type="button" data-action="removeFault" data-id=${id}>Remove${which}</button>
  </li>`
}

const WORDS: Readonly<Record<string, (fault: Fault) => string>> = {
  latency: ({ ms = 0 }) => `slow by ${ms / 1000} s`,
  status: ({ status, after }) => `${status} ${after ? 'after the work is done' : 'instead of the work'}`,
  lose_response: () => 'the response is lost',
  reset: () => 'the connection is reset',
  slow_body: ({ ms }) => `the body comes byte by byte, ${ms} ms each`,
  reject_transfer: () => 'the transfer is rejected',
  fail_deliveries: () => 'deliveries fail',
}

function wordsOf(fault: Fault): string {
  const words = WORDS[fault.kind]?.(fault) ?? fault.kind
  if (fault.kind === 'fail_deliveries') return words
  return `${fault.operation ?? 'every operation'}: ${words}`
}

function leftOf({ times, seconds, ends_at, kind }: Fault, now: number): string {
  if (ends_at && seconds) return `ends ${until(ends_at, now)}`
  return `next ${count(times, kind === 'fail_deliveries' ? 'attempt' : 'request')}`
}
