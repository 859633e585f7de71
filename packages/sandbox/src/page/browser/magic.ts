import { getMagic } from './api.ts'
import { byId, h } from './element.ts'
import { money } from './format.ts'
import type { Forced } from './state.ts'

/** Shows the keys and amounts that force a rejection when the user opens the section. */
export function showMagic(): void {
  const details = byId('magic')
  details.addEventListener('toggle', () => void fill(byId('magic-body')))
}

async function fill(body: HTMLElement): Promise<void> {
  if (body.childElementCount > 0) return
  const { keys, amounts } = await getMagic()
  const rows = keys.map((key, i) => rowOf(key, amounts[i]))
  body.append(
    h(
      'p',
      { class: 'soft' },
      'Only this sandbox knows them. A transfer to the key, or of the amount to any key, is rejected.',
    ),
    h('dl', {}, ...rows),
  )
}

function rowOf({ dict_key = '', rejection_message }: Forced, amount: Forced | undefined): HTMLElement {
  const term = h('dt', {}, h('code', {}, dict_key), amount?.amount ? ` or ${money(amount.amount)}` : '')
  return h('div', {}, term, h('dd', {}, rejection_message))
}
