import { count, until } from './format.ts'
import type { Fault } from './state.ts'
import { hidden, html, note, type View } from './view.ts'

/** The active rules. `now` is the time of the sandbox. */
export function faultsView(faults: readonly Fault[], now: number): View {
  const active = faults.filter(({ ends_at }) => !ends_at || Date.parse(ends_at) > now)
  if (active.length === 0) return note('No fault rule is active.')
  const rules = active.map((fault) => ruleView(fault, now))
  return html`<ul class="rules" aria-label="Active fault rules">${rules}</ul>`
}

/**
 * A fault rule in words, such as "checkKey: slow by 0.2 s", with when it ends and a button to
 * remove it.
 */
function ruleView(fault: Fault, now: number): View {
  const { id } = fault
  const text = describeFault(fault)
  const nameOfRule = hidden(` the rule ${text} ${id}`)
  return html`<li key=${id}>
    <div><strong>${text}</strong><span class="soft"> · ${describeEnd(fault, now)}</span></div>
    <button type="button" data-action="removeFault" data-id=${id}>Remove${nameOfRule}</button>
  </li>`
}

const WORDS: Readonly<Record<string, (fault: Fault) => string>> = {
  latency: ({ ms = 0 }) => `slow by ${ms / 1000} s`,
  status: ({ status, after }) =>
    after ? `${status} after the work is done` : `${status} instead of the work`,
  lose_response: () => 'the response is lost',
  reset: () => 'the connection is reset',
  slow_body: ({ ms }) => `the body comes byte by byte, ${ms} ms each`,
  reject_transfer: () => 'the transfer is rejected',
  fail_deliveries: () => 'deliveries fail',
}

function describeFault(fault: Fault): string {
  const words = WORDS[fault.kind]?.(fault) ?? fault.kind
  if (fault.kind === 'fail_deliveries') return words
  return `${fault.operation ?? 'every operation'}: ${words}`
}

/** Such as `next 3 requests` or `ends in 20 s`. */
function describeEnd({ times, seconds, ends_at, kind }: Fault, now: number): string {
  if (ends_at && seconds) return `ends ${until(ends_at, now)}`
  const noun = kind === 'fail_deliveries' ? 'attempt' : 'request'
  return `next ${count(times, noun)}`
}
